"""The settings of the database: the section `[postgres]`."""

from almario.plugins import Section, option


class PostgresSettings(Section):
    connections: int = option(
        8, "How many connections to PostgreSQL a process opens at most.", low=1, high=1000, home_only=True
    )
    connect_seconds: float = option(
        10.0,
        "For how long PostgreSQL may be out of reach, or silent, before a request fails.",
        low=0,
        high=3600,
        home_only=True,
    )
    statement_seconds: float = option(
        60.0, "How long PostgreSQL may take for one statement.", low=0.1, high=86_400, home_only=True
    )
    durable: bool = option(
        True, "Count something as kept only when PostgreSQL has it on disk.", home_only=True
    )
