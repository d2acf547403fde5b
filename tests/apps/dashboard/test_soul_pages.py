"""Who an agent is, as pages: files that are edited and locked, versions, proposals, genesis."""

import re

from almario.apps.dashboard.comparing import compared
from tests.apps.dashboard.conftest import HTML, Browser
from tests.apps.dashboard.reading import broken_rules
from tests.tables import each_row


def test_what_differs_is_shown_line_beside_line_with_the_very_words() -> None:
    before = "one\ntwo\nthree\nfour\nI am calm and kind.\nsix\n"
    after = "one\ntwo\nthree\nfour\nI am calm and dry.\nsix\nseven\n"

    rows = compared(before, after)

    assert [row.kind for row in rows] == ["skipped", "same", "same", "changed", "same", "come"]
    assert rows[0].left_out == 2
    assert [run.text for run in rows[3].was if run.is_changed] == ["kind"]
    assert [run.text for run in rows[3].now if run.is_changed] == ["dry"]
    assert compared(before, before) == []


@each_row(
    ("before", "after"),
    [
        ("", "a\nb\n"),
        ("a\nb\n", ""),
        ("a\n\nb", "b\n\na"),
        ("x " * 3000, "y " * 3000),
        ("the cat sat\non the mat", "a dog\nran\non the mat"),
        ("\n\n\n", "\n"),
    ],
)
def test_nothing_is_lost_between_the_sides(before: str, after: str) -> None:
    rows = compared(before, after)

    for side, text in (("was", before), ("now", after)):
        shown = ["".join(run.text for run in getattr(row, side)) for row in rows if getattr(row, side)]
        skipped = sum(row.left_out for row in rows)
        assert len(shown) + skipped == len(text.splitlines())
        assert set(shown) <= set(text.splitlines())


def test_a_file_is_read_edited_and_restored_by_what_its_page_says(clio: Browser) -> None:
    served = clio.served
    soul = served.souls.soul("default")
    known = soul.read("SOUL.md").hash
    page = clio.open(f"/soul/SOUL?edit={known}")
    assert broken_rules(page) == []
    [form] = [each.attributes for each in page.all("form") if "data-act" in each.attributes]
    does, path = form["data-act"].split(" ")

    text = soul.read("SOUL.md").text.replace("calm", "very calm", 1)
    done = served.ask(
        does, path, json={"text": text, "reason": "calmer"}, headers={"If-Match": form["data-version"]}
    )
    assert "very calm" in clio.open("/soul/SOUL").text
    served.ask(does, path, json={"text": "x"}, headers={"If-Match": form["data-version"]}, status=412)

    newer = clio.get(f"/a/default/soul/SOUL?edit={known}&part=newer").text
    assert "changed elsewhere since you began" in newer
    assert re.search(r"<mark>\s*very\s*</mark>", newer)
    assert clio.get(f"/a/default/soul/SOUL?edit={known}").headers["location"].endswith(done["hash"])

    version = clio.open("/soul/SOUL/versions/2")
    assert broken_rules(version) == []
    assert "Calmer" in version.text
    assert "Calmer" in clio.open("/soul/SOUL").text
    assert "Restore this version" in clio.open("/soul/SOUL/versions/1?against=now").text
    served.post("/do/undo", {"line": done["line"]})
    assert "very calm" not in clio.open("/soul/SOUL").text
    assert clio.get("/a/default/soul/SOUL/versions/99").status_code == 404
    assert clio.get("/a/default/soul/NOTHING").status_code == 404


def test_a_section_is_locked_against_proposals_and_that_is_seen(clio: Browser) -> None:
    served, soul = clio.served, clio.served.souls.soul("default")
    before = soul.read("SOUL.md").text

    served.post("/do/lock", {"file": "SOUL", "section": "Boundaries"})

    page = clio.open("/soul/SOUL")
    assert "Locked: yours alone" in page.text
    assert "<!--" not in page.text
    assert [p.state for p in soul.proposals.list()] == ["stale"]
    served.post("/do/lock", {"file": "SOUL", "section": "Boundaries"}, status=400)
    served.post("/do/lock", {"file": "USER", "section": "User"}, status=400)
    served.post("/do/undo", {"line": soul.undoable("SOUL.md")})
    assert soul.read("SOUL.md").text == before
    served.post("/do/lock", {"file": "SOUL", "section": "Boundaries"})
    served.post("/do/lock", {"file": "SOUL", "section": "Boundaries", "locked": False})
    assert soul.read("SOUL.md").text == before


def test_a_proposal_is_shown_side_by_side_reworded_accepted_and_taken_back(clio: Browser) -> None:
    served, soul = clio.served, clio.served.souls.soul("default")
    memory = soul.memory.list()[0]
    wished = soul.read("SOUL.md").text.replace("calm", "patient", 1)
    grounds = [memory.id, "cli:main#1", "https://clocks.example/a", "SOUL.md#3"]
    own = soul.proposals.propose("SOUL.md", wished, reason="She says so.", evidence=grounds[:2])

    page = clio.open(f"/soul/proposals/{own.id}")
    assert "She says so." in page.text
    assert memory.text in page.text
    assert "/a/default/talk/cli:main?turn=1#turn-1" in page.values("href")
    assert any("reject" in act for act in page.values("data-act"))

    for path in ("/today", "/soul"):  # it is looked at and answered there, too
        listed = clio.open(path)
        assert "She says so." in listed.text
        for deed in ("accept", "reject"):
            assert f"POST /api/v1/agents/default/proposals/{own.id}/{deed}" in listed.values("data-act")
        assert (bool(listed.all("ins")), "patient" in listed.text) == (True, True)

    reworded = wished.replace("patient", "unhurried")
    served.post("/do/proposals.rewrite", {"wanted": own.id, "text": reworded, "base": own.before})
    assert "unhurried" in clio.open(f"/soul/proposals/{own.id}").text
    done = served.post(f"/proposals/{own.id}/accept")
    assert "unhurried" in soul.read("SOUL.md").text
    assert "Accepted" not in clio.open("/soul").text.split("Answered")[0]
    served.post("/do/proposals.rewrite", {"wanted": own.id, "text": "x"}, status=400)
    served.post("/do/undo", {"line": done["line"]})
    assert "unhurried" not in soul.read("SOUL.md").text
    for path in (f"/soul/proposals/{own.id}", "/soul"):
        assert "accepted, then undone" in clio.open(path).text
        assert "aceptada y después deshecha" in clio.open(path, "es").text
    assert clio.get("/a/default/soul/proposals/nothing").status_code == 404


def test_a_preview_is_made_as_one_types_and_writes_nothing(clio: Browser) -> None:
    before = clio.served.souls.soul("default").read("SOUL.md").text
    text = "# Soul\n\n<script>alert(1)</script> **bold** [name]\n\n<!-- a note -->"

    told = clio.act("POST /preview", {"text": text})

    assert "<strong>bold</strong>" in told["html"]
    assert "<script" not in told["html"]
    assert "a note" not in told["html"]
    assert clio.served.souls.soul("default").read("SOUL.md").text == before
    client = clio.served.client(Cookie=f"almario={clio.cookie}")
    assert client.post("/preview", json={"text": text}).status_code == 403


def test_genesis_is_for_who_may_do_everything(clio: Browser) -> None:
    for language in ("en", "es"):
        page = clio.open("/soul/genesis", language)
        assert broken_rules(page) == []
        assert len([each for each in page.all("input") if each.attributes.get("name") == "archetype"]) > 3
    writer = clio.served.tokens.create("writer", scope="write")
    client = clio.served.client(writer, **HTML)
    assert client.get("/a/default/soul/genesis").status_code == 403
    assert client.get("/a/default/soul/SOUL?edit=x").status_code == 403
    assert "data-act" not in client.get("/a/default/soul/SOUL").text
