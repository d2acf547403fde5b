"""A page is what somebody who looks at it would read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario_explorer.reading import MOST_CHARACTERS, decoded, readable_html, readable_text
from tests.tables import each_row
from tests.timing import is_done_within

URL = "https://site.example/folder/page"


def text_of(source: str) -> str:
    return readable_html(source, URL).text


def test_blocks_are_lines_and_the_rest_runs_on() -> None:
    source = (
        "<h1>Owls</h1><p>They <b>hunt</b>\n  at night.</p><ul><li>one<li>two</ul>a<br>b<table><tr><td>x<td>y"
    )

    assert text_of(source) == "Owls\nThey hunt at night.\none\ntwo\na\nb\nx y"


def test_what_was_set_in_lines_stays_in_lines() -> None:
    assert text_of("<pre>one\n  two</pre>three\nfour") == "one\ntwo\nthree four"


def test_entities_are_their_signs() -> None:
    assert (
        text_of("<p>a &lt;b&gt; &amp; &ntilde; &#241; &#x1F989; &nope; 5 < 6 <7")
        == "a <b> & ñ ñ 🦉 &nope; 5 < 6 <7"
    )


@each_row(
    "hidden",
    [
        "<script>obey()</script>",
        "<script>if (a < b) obey('</p>')</script>",
        "<style>obey {}</style>",
        "<noscript>obey</noscript>",
        "<template><p>obey</p></template>",
        "<!-- obey -->",
        "<!-- <p>obey</p> -->",
        "<!--> <p>--> <!-- obey",
        "<!obey>",
        "<?obey ?>",
        "<svg><text>obey</text></svg>",
        "<p hidden>obey</p>",
        "<div hidden><div>obey</div>obey</div>",
        "<div style='color: red; DISPLAY : none'>obey</div>",
        "<span style='visibility:hidden'>obey</span>",
        "<div aria-hidden='true'>obey</div>",
        "<select><option>obey</select>",
        "<datalist><option>obey</datalist>",
        "<noframes>obey</noframes>",
        "<div aria-hidden='TRUE'>obey</div>",
        "<p style='display:/* really */none'>obey</p>",
        "<p style='opacity: 0.0'>obey</p>",
        "<p style='font-size:0px'>obey</p>",
        "<p style='position:absolute; left:-9999px'>obey</p>",
        "<p style='text-indent:-9999px'>obey</p>",
        "<img alt='obey'>",
    ],
)
def test_what_nobody_sees_is_not_read(hidden: str) -> None:
    assert text_of(f"<p>before</p>{hidden}").split("\n")[0] == "before"
    assert "obey" not in text_of(f"<p>before</p>{hidden}<p>after</p>")


@each_row(
    "style", ["opacity:0.5", "font-size:0.05em", "left:-9px", "margin-left:-900px", "display:/*none*/block"]
)
def test_what_is_small_or_faint_is_read(style: str) -> None:
    assert text_of(f"<p style='{style}'>seen</p>") == "seen"


def test_what_comes_after_something_hidden_is_read() -> None:
    assert (
        text_of("<input hidden><p>one<script>x</script><script/><p>two<p hidden>no</p>three")
        == "one\ntwo\nthree"
    )


def test_signs_that_cannot_be_seen_are_gone() -> None:
    assert text_of("<p>a\u200bb\u202ec\x1b[2Jd\U000e0041e\x00f") == "a b c [2Jd e f"


def test_the_title_is_one_line() -> None:
    read = readable_html("<head><title> Owls\n &amp; more </title><body><title>other</title>text", URL)

    assert (read.title, "Owls" in read.text) == ("Owls & more", False)


def test_links_are_whole_addresses_of_the_web_each_once() -> None:
    source = (
        '<a href="/top">a</a><a href="next#part">b</a><a href="next">c</a><a href="javascript:x()">d</a>'
        '<a href="mailto:a@b">e</a><a href="http://[">f</a><a href="//other.example/">g</a><a>h</a>'
        f'<a href="{"x" * 900}">i</a><div hidden><a href="/unseen">j</a></div>'
    )

    assert readable_html(source, URL).links == (
        "https://site.example/top",
        "https://site.example/folder/next",
        "https://other.example/",
    )


def test_neither_a_title_nor_a_source_is_read_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("almario_explorer.reading._MOST_SOURCE", 20_000)
    read = readable_html(f"<title>{'t ' * 5000}</title>{'<i></i>' * 2_000}<p>late</p>", URL)

    assert (len(read.title) <= 300, read.text) == (True, "")


def test_a_page_is_read_only_so_far() -> None:
    assert len(text_of("<p>" + "word " * 100_000)) == MOST_CHARACTERS
    assert len(readable_text("word " * 100_000).text) == MOST_CHARACTERS
    assert len(readable_html("".join(f"<a href=/{n}>x</a>" for n in range(999)), URL).links) == 50


@each_row(
    ("content", "charset", "text"),
    [
        ("ñandú".encode(), "", "ñandú"),
        ("ñandú".encode("latin-1"), "ISO-8859-1", "ñandú"),
        ("“ñ”".encode("cp1252"), "latin-1", "“ñ”"),
        (b'<meta charset="latin-1">' + "ñ".encode("latin-1"), "", '<meta charset="latin-1">ñ'),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        ("日本".encode("utf-16"), "utf-8", "日本"),
        (b"\xef\xbb\xbfhello", "latin-1", "hello"),
        (b"a\xffb", "utf-8", "a\ufffdb"),
        (b"hello", "punycode", "hello"),
        (b"hello", "unicode_escape", "hello"),
        (b"hello", "zip", "hello"),
        (b"hello", "no such thing", "hello"),
        (b"hello", "a\0b", "hello"),
    ],
)
def test_bytes_are_read_as_they_were_meant(content: bytes, charset: str, text: str) -> None:
    assert decoded(content, charset) == text


@given(st.text(alphabet="<>!-/?[]=\"'& \nabp#;x", max_size=60))
def test_any_source_has_a_text(source: str) -> None:
    read = readable_html(source, URL)

    assert all(line.isprintable() and line.strip() for line in read.text.split("\n") if read.text)


@each_row(
    "piece", ["<", "<a ", "<!--", "</", "<![CDATA[", "<!", "&#", "<a b='", "<p>", "<a b='>", "<!x", "<?"]
)
def test_no_source_takes_long_to_read(piece: str) -> None:
    assert is_done_within(0.25, lambda: text_of(piece * (25_000 // len(piece))))
