"""Whether something is said in confidence."""

import re
from collections.abc import Sequence

from almario.domain.words import index_terms, query_words

THIS, PREVIOUS = "this", "previous"


def off_record_in(message: str) -> str:
    low = message.lower()
    if re.search(r"what i just (said|told)|lo que (te )?acabo de decir|lo último", low):
        return PREVIOUS
    if re.search(
        r"off the record|between us|don.t (write|note|store|keep) (this|it)|no (lo|la) (anotes|guardes?|escriba|apunte)|no apunte esto|entre nosotros",
        low,
    ):
        return THIS
    return ""


def goes_on(message: str, before: Sequence[str]) -> bool:
    if re.match(r"\W*(es que|because|porque|pero|but|and|y)\b", message.lower()):
        return True
    terms = {t for text in before for t in index_terms(text)}
    return any(term in terms for word in query_words(message) for term, _ in word.terms)
