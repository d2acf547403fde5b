"""What is ordered in words: one module per language, each a table of patterns by what they say.

A row is in lower case and without accents. Its lines are alternatives, wherever a line ends; one that is
indented goes on within brackets. A space is white space, `_` is any word, `{name}` is another row, and `…`
is what is meant. Rows that only others refer to have names of their own.

What every order may have:

- `short`: what is written with a full stop; `joins`: "and", "but".
- `lead`, `tail`, `thanks`: what may stand before an order, after it, and after anything.
- `polite`: what an order may begin with, also one that is asked ("could you"); the order is then one of
  `remembering`, `forgetting` or `erasing`.
- `chat`: how words are spelled in a chat, a word and its forms, "_" for a space, rows end in ";"; `slips`:
  longer words that are known if one letter is wrong, unless it is one of the last two. No other row needs
  any of these spellings; and none may be a word of orders in another language.
- `articles`: what may stand before the name of a thing, parted from it by a space or by its own "'".
- `saying`: words by which somebody else's are told.
- `…_signs`: no order of a sort is without one of these. They are cheap to look for, and should be rare in
  other languages, as the patterns of a language take a while to make.

To remember: `remember`, and `that`, or `led`, which may follow without it, or `this` and a colon; before
that, an `aside`: "for me", "from now on". A `heading` is followed by a colon, "for the future:", or is
`headed` by some words: "one thing for your notes:".
`remember_rows` are orders that stand after what is meant, or around it.

To forget: `forget` anything, or `erase` what is known. `told`, `told_after`, `memory` and `own` say that it
is ("what I said about", "from your memory", "my address"); `about` does not. `nothing` names no thing,
`because` says why. `forget_rows` are orders that stand after what is meant, or around it.

Not to keep: `off`, in which `gone` is what was said before.

To tell what is known: `tell`. To behave in a way: `behave`, how that begins.
"""

ROWS = tuple(
    """short joins lead tail thanks polite articles saying chat slips remember_signs remember remembering
    that led this aside headed heading remember_rows forget_signs forget forgetting erase erasing told
    told_after memory own about nothing because forget_rows off_signs off gone tell_signs tell
    behave""".split()
)
