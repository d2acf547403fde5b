"""What people are told for the names in files and code: kinds, states, origins, deeds, measures.

Commands, pages and bots say the same words.
"""

from almario.domain.messages import Sentence
from almario.domain.model import Hit
from almario.domain.plain_text import in_one_line
from almario.domain.portrait import Theme
from almario.domain.validity import by_name

KINDS = {
    "profile": Sentence("profile"),
    "fact": Sentence("fact"),
    "summary": Sentence("summary"),
    "episode": Sentence("episode"),
    "instruction": Sentence("instruction"),
    "log": Sentence("log"),
    "note": Sentence("note"),
    "soul": Sentence("soul"),
    "reflection": Sentence("reflection"),
    "turn": Sentence("message"),
}
PRIORITIES = {"high": Sentence("high"), "medium": Sentence("medium"), "low": Sentence("low")}
STATES = {
    "live": Sentence("in use"),
    "superseded": Sentence("replaced"),
    "earlier": Sentence("earlier"),
    "retired": Sentence("forgotten"),
    "ended": Sentence("over"),
    "expired": Sentence("expired"),
    "untrusted": Sentence("not trusted"),
}
# What the sentences of a page are about.
THEMES: dict[Theme, Sentence] = {
    "you": Sentence("You"),
    "people": Sentence("People"),
    "work": Sentence("Work"),
    "health": Sentence("Health"),
    "plans": Sentence("Plans"),
    "manner": Sentence("How you want me to be"),
    "person": Sentence("What I know"),
}
SOURCES = {"explicit": Sentence("said"), "auto": Sentence("learned")}
ORIGINS = {
    "owner": Sentence("you"),
    "agent": Sentence("the agent"),
    "imported": Sentence("an import"),
    "untrusted": Sentence("a stranger"),
}
FROM = {"owner": Sentence("from you"), "agent": Sentence("from the agent")}
FROM |= {"imported": Sentence("from an import"), "untrusted": Sentence("from a stranger")}
ACTORS = {"owner": Sentence("you"), "agent": Sentence("the agent"), "almario": Sentence("Almario")}
ORIGIN_SENTENCES = {
    ("explicit", "owner"): Sentence("You said so yourself."),
    ("auto", "owner"): Sentence("It was learned from what you said."),
    ("explicit", "imported"): Sentence("It was in MEMORY.md before the agent knew of it."),
    ("auto", "imported"): Sentence("It comes from what you imported."),
    ("explicit", "agent"): Sentence("The agent was asked to keep it."),
    ("auto", "agent"): Sentence("The agent concluded it on its own."),
    ("explicit", "untrusted"): Sentence(
        "It comes from someone you do not trust: it is told as theirs, and recalled on request."
    ),
    ("auto", "untrusted"): Sentence(
        "It comes from someone you do not trust: it is told as theirs, and recalled on request."
    ),
}
LIFE_STEPS = {
    "remembered": Sentence("remembered"),
    "learned": Sentence("learned from a conversation"),
    "renewed": Sentence("confirmed"),
    "linked": Sentence("said in other words"),
    "trusted": Sentence("vouched for"),
    "forgotten": Sentence("forgotten"),
    "taken back": Sentence("taken off the record"),
    "set aside": Sentence("set aside"),
    "rejected": Sentence("called wrong by you"),
    "restored": Sentence("restored"),
    "imported": Sentence("imported"),
    "edited": Sentence("written in MEMORY.md"),
    "consolidated": Sentence("compared with others"),
    "reminded": Sentence("brought up, as you wanted"),
    "superseded": Sentence("replaced by another"),
    "doubted": Sentence("perhaps replaced by another"),
    "removed": Sentence("removed from MEMORY.md"),
    "accepted": Sentence("accepted by you"),
    "amended": Sentence("changed"),
    "ended": Sentence("ended"),
    "shared": Sentence("shared"),
    "unshared": Sentence("private again"),
    "kept": Sentence("called no secret by you"),
    "undone": Sentence("a change was undone"),
}
HOW = {
    "vector": Sentence("by meaning"),
    "keyword": Sentence("by words"),
    "both": Sentence("by words and meaning"),
    "context": Sentence("by what is next to it"),
}
CERTAINTIES = {"sure": Sentence("sure"), "likely": Sentence("likely"), "maybe": Sentence("maybe")}
# How well what was found fits what was looked for.
MATCHES = {
    "sure": Sentence("strong match"),
    "likely": Sentence("fair match"),
    "maybe": Sentence("weak match"),
}
# By what something was found: what adds to a score, as people say it.
FOUND_BY = {
    **dict.fromkeys(("own", "mass"), Sentence("the same words")),
    **dict.fromkeys(("meaning", "cue"), Sentence("what it means")),
    **dict.fromkeys(("near", "beside"), Sentence("what was said around it")),
    "cue_words": Sentence("what brings it to mind"),
    "key": Sentence("what it is about"),
    **dict.fromkeys(("time", "when"), Sentence("when it was")),
    **dict.fromkeys(("speaker", "assistant"), Sentence("who said it")),
    "owner": Sentence("it is your own word"),
    "amount": Sentence("a number"),
    "asked": Sentence("the question it answers"),
}
# What a score is made of.
MEASURES = {
    "base": Sentence("starting point"),
    "own": Sentence("its words"),
    "near": Sentence("words around it"),
    "key": Sentence("its key is all that is asked for"),
    "owner": Sentence("your word comes before the agent's"),
    "mass": Sentence("rare words"),
    "meaning": Sentence("meaning"),
    "beside": Sentence("meaning around it"),
    "cue": Sentence("meaning of its cue"),
    "cue_words": Sentence("words of its cue"),
    "speaker": Sentence("who said it"),
    "time": Sentence("when"),
    "when": Sentence("the question is only about a time"),
    "amount": Sentence("a figure is asked for"),
    "assistant": Sentence("the agent said it"),
    "asked": Sentence("a question and its answer"),
}
SPEAKERS = {
    "user": Sentence("you"),
    "assistant": Sentence("the agent"),
    "system": Sentence("Almario"),
    "tool": Sentence("a tool"),
}
SOUL_FILES = {
    "IDENTITY.md": Sentence("Its name, and how it comes across"),
    "SOUL.md": Sentence("Who it is, how it talks, what it will not do"),
    "MOTIVATIONS.md": Sentence("What drives it, what it is busy with, what it wonders"),
    "GOALS.md": Sentence("What it wants to get done"),
    "USER.md": Sentence("Who you are"),
    "AGENTS.md": Sentence("How it should work"),
    "TOOLS.md": Sentence("How it should use its tools"),
}
ANSWERS = {
    "open": Sentence("waiting for you"),
    "accepted": Sentence("accepted"),
    "undone": Sentence("accepted, then undone"),
    "rejected": Sentence("rejected"),
    "stale": Sentence("out of date"),
    "refused": Sentence("refused by the rules"),
    "expired": Sentence("expired"),
}
MAKERS = {
    "reflection": Sentence("from a reflection"),
    "improve": Sentence("from your words"),
    "chat": Sentence("from the chat"),
    "owner": Sentence("in your wording"),
}
# What models are asked for, and what is done in the background.
JOBS = {
    "chat": Sentence("talking"),
    "flush": Sentence("learning"),
    "snapshot": Sentence("naming a conversation"),
    "consolidation": Sentence("merging duplicates"),
    "cues": Sentence("writing cues"),
    "pages": Sentence("writing what it knows about you"),
    "reflection": Sentence("reflection"),
    "improve": Sentence("drafting proposals"),
    "genesis": Sentence("drafting a soul"),
    "gateway": Sentence("other programs’ chats"),
}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKDAYS = tuple(map(Sentence, _WEEKDAYS))
# The channels that people call otherwise than by their name in capitals: `claude-code` is Claude Code.
_CHANNELS = {"cli": "Terminal", "openai": "OpenAI", "mcp": "MCP"}


def changed_by_owner(day: str) -> Sentence:
    """Say where a memory comes from that the owner put in the place of another."""
    return Sentence("It was changed by you on {day}.", day=day)


def conversation(session: str) -> str:
    """Return what a conversation is called: its channel, and the rest of its key."""
    channel, _, rest = session.partition(":")
    return f"{_CHANNELS.get(channel) or channel.replace('-', ' ').title()} · {rest}" if rest else session


# What became since of something that was said.
SINCE = {"changed": "since changed: {value}", "over": "since over: {value}"}


def hit_state(hit: Hit) -> Sentence:
    """Say of a hit whether it still holds, and since when not; of what is in use there is nothing to say."""
    day = by_name(hit.last.isoformat()) if hit.last else ""
    if hit.state == "expired" and day:
        return Sentence("not mentioned since {day}", day=day)
    if hit.state == "superseded" and day and hit.by:
        return Sentence("replaced on {day} by: {value}", day=day, value=in_one_line(hit.by))
    if hit.state == "ended" and day:
        return Sentence("until {when}", when=day)
    for word, value in hit.since[:1]:
        return Sentence(SINCE[word], value=in_one_line(value))
    return STATES.get(hit.state, Sentence(hit.state)) if hit.state != "live" else Sentence("")
