"""Orders in English."""

ORDERS = {
    "articles": "the a an my our your his her their this that",
    "joins": "and so but",
    "but": "but",
    "saying": """
        say said says told tells wrote writes asked asks replied shouted texted reads sang whispered
        advised warned song sign lyrics quote
    """,
    "lead": """
        please; pls; hey; hi; hello; ok; okay; oh; well; and; but; so; also; then; now; just; actually; by
        the way; btw; yes; no; thanks; listen; look; sorry; always; from now on
    """,
    "tail": "please; pls; thanks; thank you; ok; okay; for me",
    "never": """
        remember that time; remember that day; remember that night; remember that one; remember that song;
        remember that guy; remember that i told; remember that i said; don't forget to
    """,
    "remember": """
        remember that …; remember: …; remember this: …; remember i…; remember my…; remember we…; remember,
        i…; remember, my…; don't forget that …; don't forget: …; don't forget i…; don't forget my…; do not
        forget that …; never forget that …; don't let me forget that …; keep in mind that …; keep in mind:
        …; keep in mind i…; bear in mind that …; make a note that …; make a note: …; note that i…; note
        that my…; write down that …; write this down: …; jot down that …; save this: …; add to your memory
        that …; for your memory: …; for your notes: …; i want you to remember that …; i'd like you to
        remember that …
    """,
    "remember_asked": """
        can you remember that …; could you remember that …; will you remember that …; would you remember
        that …; can you please remember that …; could you please remember that …; can you keep in mind
        that …; could you keep in mind that …; can you make a note that …; could you make a note that …
    """,
    "forget": """
        forget that i…; forget that my…; forget that we…; forget my…; forget about my…; forget what i told
        you about …; forget what i said about …; forget everything i told you about …; forget everything i
        said about …; forget everything about …; forget everything you know about …; forget all about my…;
        forget i told you about …; delete everything you know about …; delete what i told you about …;
        erase what i told you about …; i want you to forget that i…; i want you to forget my…; i want you
        to forget about …; you can forget about my…; delete … from your memory; delete … from your notes;
        erase … from your memory; erase … from your notes; remove … from your memory; remove … from your
        notes; wipe … from your memory; wipe … from your notes
    """,
    "forget_asked": """
        can you forget what i told you about …; could you forget what i told you about …; can you forget
        my…; could you forget my…; can you please forget my…; could you please forget my…; can you forget
        about my…; could you forget about my…
    """,
    "off": """
        between us; between you and me; between ourselves; just between us; just between you and me;
        strictly between us; this is between us; this stays between us; this stays between you and me;
        that's between us; that stays between us; off the record; this is off the record; that's off the
        record; keep this off the record; keep that off the record; don't write this down; don't write
        that down; don't write it down; do not write this down; don't save this; don't save that; don't
        remember this; don't note this; don't keep this; don't log this; don't store this; don't record
        this; keep this out of your memory; keep this out of your notes; leave this out of your notes;
        this is not for your memory; this is not for your notes
    """,
    "previous": """
        forget what i just said; forget what i just told you; forget what i just wrote; forget my last
        message; forget that last message; forget i said that; delete my last message; delete what i just
        said; erase what i just said; erase my last message; strike that from the record; take that off
        the record; don't save what i just said; don't write down what i just said; what i just said is
        off the record; that was off the record
    """,
    "tell": """
        tell me what; tell me when; tell me where; tell me who; tell me which; tell me how; tell me why;
        tell me if; tell me about my; tell me my; tell me the; tell me everything; remind me what; remind
        me when; remind me where; remind me who; remind me which; remind me how; remind me why; remind me
        of my; remind me of what; refresh my memory; can you tell me; could you tell me; can you remind me
        what; can you remind me when
    """,
}
