"""The dashboard: pages for people, on the same server and by the same rules as the API.

A page is a template and one function; what it says stands in the template:

1. The template extends `frame.html`, names its entry in the menu (`{% set here = "soul" %}`), and fills
   `title` and `main` (and `aside`, if there is one). Sentences are `_("…")`; `visit.say` says one that the
   store gives. Macros are in `ui` (`templates/ui.html`), what the store has names for in `words`
   (`domain/vocabulary.py`). What somebody wrote is escaped by itself; Markdown goes through
   `text | markdown`. No inline script, no style or `on…` attributes: the headers forbid them.
2. The function stands with its route in the module of what it is about, and runs in a thread. It takes a
   `Visits` (who looks, at which agent, in which language) and ends with
   `visit.shown("soul.html", files=…)`. What is costly is given as a function, for the block that shows it to
   call: a part that is fetched alone then costs no more than itself. Lists are paged by the store. A new
   module has a `router`, and its line in `door.py`.
3. What the menu or Ctrl-K leads to has an entry in `templates/navigation.html`.

The two mechanisms, both in `static/almario.js`:

- An *act* is a button or form with `data-act="POST /api/v1/agents/x/…"`: its fields (and `data-body`) are
  sent as JSON to the API that programs use. `data-done` is the toast, `data-undo="POST …"` with
  `data-undo-body` takes it back, where `"$seq"` is a field of the answer; `data-then` is where to go next,
  `data-answer="#id"` an element whose `data-slot`s the answer fills. A form with `data-version` sends it as
  If-Match; if somebody was quicker, its `[data-conflict]` shows what they wrote. Use `ui.act`.
- A *live* region is `<section data-live="learned" data-on="memory.changed …">{% block learned %}`: when the
  journal tells of a change of such a kind, the block is fetched again (`?part=learned`) and put in its place;
  not while somebody is typing there, nor before the pointer has rested in it for a second (else a second
  click would hit the next row), nor while it has `data-held`. A row (`data-item`) takes one act until then.
  Use `ui.live`. While something in it has `data-again` (work under way), it is fetched again every second.

A form with `data-filters="results"` refetches that region as one types, and keeps the address in step. Items
with `data-item` are walked by j and k.
"""
