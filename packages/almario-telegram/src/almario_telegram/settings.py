"""The settings of the bot: the section `[telegram]`."""

from almario.plugins import Section, option


class TelegramSettings(Section):
    url: str = option("https://api.telegram.org", "Where the Bot API is.")
    groups: str = option(
        "mentioned",
        "When the agent answers in a group: if it is mentioned or replied to, always or never.",
        choices=("mentioned", "always", "never"),
    )
    stranger_answers: int = option(
        10, "How many answers an hour people who are not paired get, all together.", low=0, high=10_000
    )
    morning_note: bool = option(False, "Send what the agent wrote at night, in the morning.")
    morning_hour: int = option(8, "From which hour on, where you are.", low=0, high=23)
