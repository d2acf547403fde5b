"""The dashboard: pages for people, on the same server and by the same rules as the API.

How to add a page:

1. A line in `navigation.py`: its `Entry` (name, path below `/a/ID`, title, the key after `g`), and an icon of
   the entry's name in `templates/ui.html`.
2. A module with a `router`, and a line for it in `door.py`. Its routes are plain functions, which run in a
   thread: they take a `Looks` (who looks, at which agent, in which language) and end with
   `visit.shown("soul.html", SOUL, files=…)`. What is costly is given as a function, for the block that
   shows it to call: a part that is fetched alone then costs no more than itself. Lists are paged
   by the store.
3. A template that extends `frame.html` and fills `title` and `main` (and `aside`, if there is one). Macros
   are in `ui` (`templates/ui.html`), what the store has names for in `words`
   (`domain/vocabulary.py`), sentences in `_("…")` with their
   Spanish in `messages.es.json`. What somebody wrote is escaped by itself; Markdown goes through
   `text | markdown`. No inline script, no style or `on…` attributes: the headers forbid them.

The two mechanisms, both in `static/almario.js`:

- An *act* is a button or form with `data-act="POST /api/v1/agents/x/…"`: its fields (and `data-body`) are
  sent as JSON to the API that programs use. `data-done` is the toast, `data-undo="POST …"` with
  `data-undo-body` takes it back, where `"$seq"` is a field of the answer; `data-then` is where to go next,
  `data-answer="#id"` an element whose `data-slot`s the answer fills. A form with `data-version` sends it as
  If-Match; if somebody was quicker, its `[data-conflict]` shows what they wrote. Use `ui.act`.
- A *live* region is `<section data-live="learned" data-on="memory.changed …">{% block learned %}`: when the
  journal tells of a change of such a kind, the block is fetched again (`?part=learned`) and put in its place;
  not while somebody is typing there, nor while it has `data-held`. Use `ui.live`. While something in it has
  `data-again` (work under way), it is fetched again every second.

A form with `data-filters="results"` refetches that region as one types, and keeps the address in step. Items
with `data-item` are walked by j and k.
"""
