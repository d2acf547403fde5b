"""What is wrong with the input of a route, in the words of this project and the language of the home."""

from collections.abc import Mapping, Sequence
from typing import Any

from almario.domain.messages import Sentence, say
from almario.domain.plain_text import shortened

# How much of the input is echoed back.
_SHOWN = 300
_NUMBER, _WHOLE = Sentence("it should be a number"), Sentence("it should be a whole number")
_OBJECT, _YES_OR_NO = Sentence("it should be an object"), Sentence("it should be true or false")
_DATE = Sentence("it should be a day or a time, such as 2026-11-14 or 2026-11-14T10:00:00Z")
# What pydantic finds, by its name for it.
_WRONG: Mapping[str, Sentence] = {
    "missing": Sentence("it is missing"),
    "extra_forbidden": Sentence("it is not known here"),
    "string_type": Sentence("it should be a text"),
    "string_too_short": Sentence("it should have at least {min_length} characters"),
    "string_too_long": Sentence("it should have at most {max_length} characters"),
    "string_pattern_mismatch": Sentence("it should look like {pattern}"),
    "string_unicode": Sentence("it is not valid Unicode"),
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _YES_OR_NO,
    "bool_parsing": _YES_OR_NO,
    "list_type": Sentence("it should be a list"),
    "too_long": Sentence("it should have at most {max_length} entries"),
    "too_short": Sentence("it should have at least {min_length} entries"),
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "greater_than": Sentence("it should be more than {gt}"),
    "greater_than_equal": Sentence("it should be {ge} or more"),
    "less_than": Sentence("it should be less than {lt}"),
    "less_than_equal": Sentence("it should be {le} or less"),
    "literal_error": Sentence("it should be one of {expected}"),
    **dict.fromkeys(("date_type", "date_parsing", "date_from_datetime_parsing"), _DATE),
    **dict.fromkeys(("datetime_type", "datetime_parsing", "datetime_from_date_parsing"), _DATE),
    "json_invalid": Sentence("it is not valid JSON"),
}


def wrong_input(errors: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, str]]:
    """Return where something is wrong, and what; what has no words here is told as it was found."""
    return [
        {"where": shortened(_place(each["loc"]), _SHOWN), "what": _complaint(each, language)}
        for each in errors
    ]


def _place(parts: Sequence[object]) -> str:
    """Return the name of a field, without the type that pydantic tried there, as in `literal['a','b']`."""
    return ".".join(each for each in map(str, parts) if not each.endswith("]"))


def _complaint(error: Mapping[str, Any], language: str) -> str:
    facts = {name: str(fact).replace(" or ", ", ") for name, fact in error.get("ctx", {}).items()}
    sentence = _WRONG.get(error["type"])
    try:
        return shortened(say(language, sentence.text, **facts) if sentence else error["msg"], _SHOWN)
    except KeyError:  # another version may give other facts
        return shortened(error["msg"], _SHOWN)
