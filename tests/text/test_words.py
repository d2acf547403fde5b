"""The words of a text and of a question."""

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.words import fold, index_terms, query_words
from tests.tables import each_row


def _finds(question: str, text: str) -> bool:
    terms = index_terms(text)
    asked = [term for word in query_words(question) for term, _ in word.terms]
    return any(
        any(known.startswith(term[:-1]) for known in terms) if term.endswith("*") else term in terms
        for term in asked
    )


@each_row(
    ("question", "text"),
    [
        ("C++", "I write C++ all day"),
        ("c#", "She prefers C#."),
        (".NET", "moved to .NET last year"),
        ("node.js", "a server in Node.js"),
        ("foo-bar", "the foo-bar module"),
        ("bar", "the foo-bar module"),
        ("ana@example.org", "write to ana@example.org."),
        ("3.12", "we run Python 3.12"),
        ("H&M", "two tops from H&M"),
        ("snake_case", "names in snake_case"),
        ("alergica", "Es alérgica al maní"),
        ("alérgicas", "Es alérgico al maní"),
        ("puente", "Diseña puentes"),
        ("¿Qué hizo?", "Va a hacer una tarta"),
        ("When did she go?", "I went there"),
        ("ESPAÑA", "vive en españa"),
        ("espana", "vive en España"),
        ("ｆｕｌｌ", "full width"),
        ("猫", "我喜欢猫"),
        ("猫", "猫咪很可爱"),
        ("喜欢", "我喜欢猫"),
        ("日本語", "私は日本語を話します"),
        ("한국", "저는 한국어를 배워요"),
    ],
)
def test_a_word_is_found_however_it_is_written(question: str, text: str) -> None:
    assert _finds(question, text)


@each_row(
    ("question", "text"),
    [("C++", "vitamin D"), ("猫", "我喜欢狗"), ("bridge", "a cold river"), ('"', 'a "quote"')],
)
def test_another_word_is_not_found(question: str, text: str) -> None:
    assert not _finds(question, text)


def test_an_ene_with_tilde_is_a_letter_of_its_own() -> None:
    assert fold("AÑO más Ångström") == "año mas angstrom"
    assert fold("an\u0303o") == "año"
    assert "año" in index_terms("un año")
    assert "ano" not in index_terms("un año")


def test_a_text_is_stemmed_in_its_own_language() -> None:
    english, spanish, unknown = (
        index_terms("she cares for them"),
        index_terms("las casas de ella"),
        index_terms("cares"),
    )

    assert "e:care" in english
    assert "s:car" not in english
    assert "s:cas" in spanish
    assert {"e:care", "s:car"} <= set(unknown)


def test_stop_words_are_left_out_of_a_question() -> None:
    assert [word.text for word in query_words("What does Melanie think of the museum?")] == [
        "melanie",
        "think",
        "museum",
    ]
    assert [word.text for word in query_words("¿Qué piensa ella de la sopa?")] == ["piensa", "sopa"]


def test_a_question_of_stop_words_alone_still_asks() -> None:
    assert [word.text for word in query_words("to be or not to be")] == ["to", "be", "or", "not"]


def test_a_stop_word_that_is_a_name_is_kept() -> None:
    assert [word.text for word in query_words("Where does Will live?")] == ["will", "live"]
    assert [word.text for word in query_words("will it rain?")] == ["rain"]


def test_the_speaker_is_a_term_of_a_passage() -> None:
    assert "caroline" in index_terms("Hello", "Caroline")


def test_a_page_pasted_as_a_question_is_cut() -> None:
    assert len(query_words(" ".join(f"word{n}" for n in range(200_000)))) == 64
    assert query_words("x" * 1_000_000)


@given(st.text())
def test_any_text_has_terms_an_index_can_keep(text: str) -> None:
    terms = index_terms(text, "Ana")

    assert len(set(terms)) == len(terms)
    assert all(term and "*" not in term and not any(c.isspace() for c in term) for term in terms)


@given(st.text())
def test_whatever_a_text_says_is_found_by_asking_it(text: str) -> None:
    terms = set(index_terms(text))
    exact = [word.terms[0][0] for word in query_words(text)]

    assert all(term in terms or term.endswith("*") for term in exact)
