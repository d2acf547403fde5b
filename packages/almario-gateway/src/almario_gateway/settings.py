"""The settings of the gateway: the section `[gateway]`."""

from almario.plugins import Section, option


class GatewaySettings(Section):
    enabled: bool = option(True, "Let almario serve answer as OpenAI's and Anthropic's interfaces do.")
    openai_url: str = option(
        "", "Where requests in OpenAI's form go; empty is where the model that talks is, or else OpenAI."
    )
    openai_model: str = option(
        "", "The model for them if only the agent is named; empty is the model that talks."
    )
    anthropic_url: str = option(
        "https://api.anthropic.com", "Where requests in Anthropic's form go, without the /v1."
    )
    anthropic_model: str = option(
        "", "The model for them if only the agent is named; empty is the model that talks."
    )
