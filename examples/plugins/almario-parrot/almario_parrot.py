"""A language model that says what it hears: `llm.model = "parrot"`, or "parrot/loud"."""

from almario.plugins import Ask, Hear, ModelSettings, Reply


class Parrot:
    """Repeats the newest message; the model "loud" does so in capitals."""

    def __init__(self, model: str, settings: ModelSettings) -> None:
        self.model = f"parrot/{model or 'plain'}"

    def is_available(self) -> bool:
        return True

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        heard = ask.messages[-1].text
        text = heard.upper() if self.model == "parrot/loud" else heard
        if hear:
            hear(text)
        return Reply(text, model=self.model)
