"""One reflection and one genesis in Spanish, with a real model: what it makes of a week, and of a wish."""

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from almario.config import load, zone
from proofs.e2e.running import almario, keep, settle_in

_DAYS = (
    (
        "Lucía contó que empezó el turno de noche en el hospital Centenario",
        "Me preguntó qué cenar después de la guardia; le propuse una tortilla y le gustó",
        "Quedó sin responder: cómo dormir de día con la obra de al lado",
    ),
    (
        "Lucía volvió a decir que duerme mal; otra vez no le di una respuesta útil",
        "Me pidió respuestas más cortas y las di largas dos veces",
    ),
    (
        "Practicó charango con Ramiro y quiere tocar en la fiesta de Tomás, el 3 de abril",
        "Le preparé una lista de tres canciones fáciles; eligió una zamba",
    ),
)
_FACTS = ("trabajo: enfermera de noche en el hospital Centenario", "música: aprende charango con Ramiro")
_GENESIS = (
    "genesis",
    "Vela",
    "--role",
    "compañera de estudio",
    "--description",
    "Paciente y directa, con humor seco. Explica con ejemplos cortos y pregunta antes de dar la respuesta.",
    "--language",
    "es",
    "--emoji",
    "🕯️",
    "--refine",
    "más seca, menos emojis",
    "--yes",
)


def reflection() -> list[str]:
    """Let an agent reflect on three days; return what is missing afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        settle_in(Path(folder), "es")
        almario("init", "--yes")
        agent = Path(folder) / "agents" / "default"
        _write_days(agent, Path(folder))
        for fact in _FACTS:
            almario("remember", fact)
        before = {name: (agent / name).read_bytes() for name in ("SOUL.md", "IDENTITY.md")}
        reflected = almario("reflect", check=False)
        entries = "\n".join(path.read_text() for path in sorted((agent / "memory/reflections").glob("*.md")))
        parts = [
            f"$ almario reflect\n{reflected}",
            "$ almario proposals --all\n" + almario("proposals", "--all"),
            "$ almario goals\n" + almario("goals"),
            "$ cat MOTIVATIONS.md\n" + (agent / "MOTIVATIONS.md").read_text(),
            f"$ cat memory/reflections/*.md\n{entries}",
        ]
        keep("reflection-es.txt", parts)
        changed = [name for name, content in before.items() if (agent / name).read_bytes() != content]
    lacking = ["the reflection left no entry in memory/reflections"] if not entries else []
    return lacking + [f"{name} was changed without consent" for name in changed]


def _write_days(agent: Path, home: Path) -> None:
    today = datetime.now(UTC).astimezone(zone(load(home))).date()
    (agent / "memory").mkdir(exist_ok=True)
    for ago, lines in zip(range(len(_DAYS), 0, -1), _DAYS, strict=True):
        day = today - timedelta(days=ago)
        text = "".join(f"- [{10 + hour}:15] {line}\n" for hour, line in enumerate(lines))
        (agent / "memory" / f"{day}.md").write_text(f"# Memory Log: {day}\n\n{text}")


def genesis() -> list[str]:
    """Let a model write a soul from a wish, and refine it; return what is missing afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        settle_in(Path(folder), "es")
        result = almario(*_GENESIS, check=False)
        command = " ".join(f'"{each}"' if " " in each else each for each in _GENESIS)
        made = list((Path(folder) / "agents").glob("*")) if (Path(folder) / "agents").is_dir() else []
        parts = [f"$ almario {command}\n{result}"]
        names = ("IDENTITY.md", "SOUL.md", "MOTIVATIONS.md", "GOALS.md") if made else ()
        parts += [f"$ cat {name}\n" + (made[0] / name).read_text() for name in names]
        keep("genesis-es.txt", parts)
    return [] if made else ["genesis made no agent"]
