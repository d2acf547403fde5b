"""The doctor: looks a home and its agents over, and says how to mend what it finds."""

import os
import stat
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import rmtree

from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Damage
from almario.domain.plain_text import is_safe_id, regex
from almario.domain.withheld import named_kinds
from almario.errors import AlmarioError, SoulError, StoreError
from almario.memory.facade import Memories
from almario.memory.handwritten import Handwritten
from almario.memory.rules.sources import OUT_OF_USE
from almario.served import resident_in
from almario.store import files, replacing
from almario.store.files import locked
from almario.store.folder import FolderStore
from almario.store.home import FolderHome, leads_astray
from almario.store.mending import missing
from almario.store.replacing import can_exchange
from almario.store.spool import spooled
from almario.upkeep.logbook import HOOKS, last_line
from almario.upkeep.older import CORE, DAILY, SOULS, is_copy, older_soul, set_aside

_LITTLE_SPACE = 100 * 1024 * 1024
_NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "fuse.sshfs", "fuse.rclone", "glusterfs", "ceph")


@dataclass(frozen=True, slots=True)
class Complaint:
    """What was looked at: `ok`, a `warning`, or a `failure`; and how to mend it."""

    level: str
    about: str
    what: Sentence
    how: Sentence | None = None
    mend: Callable[[], object] | None = None


# Where copies of soul files are kept, or none can be.
_NO_SOULS = ("archive", "journal", "sessions")
_UNFINISHED = regex(r"\..+\.[0-9a-f]{8}")
_MAKE_YOURS = Sentence("give yourself permission to read and write it, with chown and chmod")
_IN_FILE = Sentence("remove it from that line of the file; until then it stays out of prompts and the index")
_IN_MEMORY = Sentence(
    'remove it from that line of the file; if the line is a memory, "almario forget --purge" with its '
    "key erases it everywhere"
)
_IN_SPOOL = Sentence("correct the file, or note what it says and delete it")
_BY_MENDING = Sentence('run "almario doctor --mend"')


def examine_home(home: FolderHome, *, default: str = "") -> Iterator[Complaint]:
    """Look at the home's folder, its file system and the names in it; *default* is the agent meant first."""
    if not home.root.is_dir():
        how = Sentence('run "almario init"')
        yield Complaint("failure", "home", Sentence("{path} does not exist", path=str(home.root)), how)
        return
    try:
        yield from _permissions("home", home.root)
        yield from _file_system(home.root)
        yield from _names(home, default)
        yield from _unread_soul(home)
        yield from _unread("home", home.root / "agents", read=())
        yield from examine_hooks(home.root)
    except OSError as exc:
        yield _unreadable("home", exc)


def _names(home: FolderHome, default: str) -> Iterator[Complaint]:
    yield from _leftovers("home", [home.root])
    yield from examine_default(default, [agent.id for agent in home.agents()])
    folder = home.root / "agents"
    for name in sorted(os.listdir(folder)) if folder.is_dir() else ():
        if _UNFINISHED.fullmatch(name):
            what = Sentence("agents/{name} is what a killed process left of a new agent", name=name)
            yield Complaint("warning", "home", what, _BY_MENDING, partial(rmtree, folder / name))
        elif not is_safe_id(name) and (folder / name).is_dir():
            how = Sentence("give the folder a name of letters, digits, - and _")
            yield Complaint("warning", "home", Sentence("agents/{name} is not an agent's id", name=name), how)
        elif leads_astray(folder / name):
            what = Sentence("agents/{name} is a link to a folder that is not an agent's", name=name)
            yield Complaint("warning", "home", what, Sentence("remove the link; it is left alone"))


def _unread_soul(home: FolderHome) -> Iterator[Complaint]:
    """Find a soul in the home's root, where none is read."""
    root, soul = home.root, older_soul(home.root)
    if soul is None:
        yield from _unread("home", root, read=())
        return
    if agent := next((each for each in home.agents() if is_copy(soul, each.path)), None):
        what = Sentence(
            "{files} in {root} are in agents/{id} already", files=soul.summary, root=str(root), id=agent.id
        )
        yield Complaint("warning", "home", what, _BY_MENDING, partial(set_aside, soul, agent.id))
        return
    what = Sentence(
        "{files} in {root} look like a soul, and are not read", files=soul.summary, root=str(root)
    )
    how = Sentence("move them to a folder below agents/, whose name is the new agent's id")
    if soul.name:
        sentence = 'run "almario init {name}" with "--agent" and a free id: that makes them an agent'
        how = Sentence(sentence, name=soul.name)
    yield Complaint("warning", "home", what, how)


def _unread(about: str, folder: Path, *, read: Collection[str], deep: bool = False) -> Iterator[Complaint]:
    """Find files that are named as a soul's are, but for those in a folder that are *read*."""
    souls = {name.lower() for name in SOULS}
    for place, folders, names in os.walk(folder):
        inner = sorted(name for name in folders if name not in _NO_SOULS and not name.startswith("."))
        folders[:] = inner if deep else []
        for path in (Path(place, name) for name in sorted(names) if name.lower() in souls):
            if path.relative_to(folder).as_posix() not in read:
                what = Sentence("{path} looks like part of a soul, and is not read", path=str(path))
                how = Sentence("if it is one, give it its place and name: SOUL.md in the agent's folder")
                yield Complaint("warning", about, what, how)


def _unread_memory(agent: str, root: Path) -> Iterator[Complaint]:
    """Find memory under an older name that could not be taken in."""
    left = [name for name in CORE if (root / name).exists()]
    daily = root / DAILY
    left += [f"{DAILY}/{name}" for name in (sorted(os.listdir(daily)) if daily.is_dir() else ())]
    for name in left:
        what = Sentence("{name} is an older place for memory, and this file could not be moved", name=name)
        how = Sentence("put what it says into MEMORY.md, or into the log of its day in memory/")
        yield Complaint("warning", agent, what, how)


def _out_of_use(agent: str, root: Path) -> Iterator[Complaint]:
    for folder in OUT_OF_USE:
        if (root / folder).is_dir():
            sentence = "{folder} is of an earlier version; nothing reads it any more, and it may be deleted"
            yield Complaint("ok", agent, Sentence(sentence, folder=folder))


def examine_default(default: str, agents: list[str]) -> Iterator[Complaint]:
    """Find out whether the agent that is meant when none is named is there."""
    if default and default.lower() not in (agent.lower() for agent in agents):
        how = Sentence("name another in almario.toml, or remove that line")
        yield Complaint("failure", "settings", Sentence('there is no agent "{id}"', id=default), how)


def examine_hooks(root: Path) -> Iterator[Complaint]:
    """Tell who answers the hooks of coding agents, and why they did nothing: there, nobody was told."""
    if pid := resident_in(root):
        what = Sentence("process {pid} answers them, by meaning too", pid=pid)
        yield Complaint("ok", "hooks", what)
    log = root / "logs" / f"{HOOKS}.jsonl"
    if last := last_line(log):
        why, at = str(last.get("why", "")), str(last.get("at", ""))[:16]
        what = Sentence("{job} failed at {at}: {why}", job=str(last.get("job", "")), at=at, why=why)
        yield Complaint(
            "warning", "hooks", what, Sentence("see {log}; delete it once this is fixed", log=str(log))
        )
    for damage in examine_spool(root):
        what = Sentence("{place} {problem}", place=damage.place, problem=damage.problem)
        yield Complaint("failure", "hooks", what, _IN_SPOOL)
    for what in waiting_in_spool(root):
        how = Sentence("the next command for their agent does it, once nothing holds its lock")
        yield Complaint("warning", "hooks", what, how)


def waiting_in_spool(root: Path) -> list[Sentence]:
    """Say how much hooks left that was not kept yet; nothing if there is none."""
    count = sum(each.late is not None for each in spooled(root))
    if count == 1:
        return [Sentence("1 message waits to be taken in")]
    return [Sentence("{count} messages wait to be taken in", count=count)] if count else []


def examine_spool(root: Path) -> list[Damage]:
    """Return the files that hooks left and nobody can read."""
    names = [each.path.name for each in spooled(root) if each.late is None]
    problem = Sentence("cannot be read, so what a hook was told is not taken in")
    return [Damage(f"spool/{name}", None, problem) for name in names]


def examine_agent(agent: str, vault: FolderStore) -> Iterator[Complaint]:
    """Look at one agent's folder, files and journal."""
    try:
        yield from _permissions(agent, vault.root)
        yield from _writable(agent, vault.root)
        yield from _documents(agent, vault)
        yield from _unread(agent, vault.root, read=(*SOUL_FILES, CORE_MEMORY, *CORE), deep=True)
        yield from _unread_memory(agent, vault.root)
        yield from _out_of_use(agent, vault.root)
        yield from _links(agent, vault.root)
        yield from _leftovers(agent, [vault.root, *(path for path in vault.root.rglob("*") if path.is_dir())])
        yield from _journal(agent, vault)
    except AlmarioError as exc:
        yield Complaint("failure", agent, sentence_of(exc), _MAKE_YOURS)
    except OSError as exc:
        yield _unreadable(agent, exc)


def examine_memory(agent: str, memory: Memories) -> Iterator[Complaint]:
    """Compare one agent's journal, index and files."""
    try:
        damage = [place for place in memory.verify() if not place.file.startswith("journal/")]
        count = sum(memory.stats().states.values())
    except (SoulError, StoreError) as exc:
        yield Complaint("failure", agent, sentence_of(exc))
        return
    if not damage:
        what = Sentence("journal, index and files agree; memories: {count}", count=count)
        yield Complaint("ok", agent, what)
    for place in damage:
        what = Sentence("{place} {problem}", place=place.place, problem=place.problem)
        is_derived = place.file == ".index"
        yield Complaint(
            "failure",
            agent,
            what,
            _BY_MENDING if is_derived else None,
            memory.reindex if is_derived else None,
        )


def examine_secrets(agent: str, handwritten: Handwritten) -> Iterator[Complaint]:
    """Find the secrets that the owner wrote into files: Almario leaves them where they are."""
    try:
        for place in handwritten.places():
            what = Sentence(
                "{file}, line {line}: contains a secret ({kinds})",
                file=place.file,
                line=place.line,
                kinds=named_kinds(place.kinds),
            )
            how = _IN_MEMORY if place.file == CORE_MEMORY else _IN_FILE
            yield Complaint("warning", agent, what, how)
        for file, count in handwritten.older():
            what = Sentence(
                "earlier versions of {file}, in .versions/, that contain a secret: {count}",
                count=count,
                file=file,
            )
            how = Sentence(
                'delete them from .versions/{file}/ if nobody should read them; "almario forget --purge" '
                "erases memories, not these versions",
                file=file,
            )
            yield Complaint("warning", agent, what, how)
    except (SoulError, StoreError) as exc:
        yield Complaint("failure", agent, sentence_of(exc))


def _unreadable(about: str, exc: OSError) -> Complaint:
    what = Sentence("{path} cannot be read: {why}", path=exc.filename or "", why=sentence_of(exc))
    return Complaint("failure", about, what, _MAKE_YOURS)


def _writable(agent: str, root: Path) -> Iterator[Complaint]:
    """Find what must be written and cannot be."""
    needed = [root / ".lock", *(root / "journal").glob("*.jsonl")]
    folders = [root / name for name in ("journal", ".versions", "memory")]
    folders += [path for path in (root / ".versions").glob("*") if path.is_dir()]
    for path in (*needed, *folders):
        if path.exists() and not os.access(path, os.W_OK | (os.X_OK if path.is_dir() else 0)):
            yield Complaint(
                "failure", agent, Sentence("{path} cannot be written", path=str(path)), _MAKE_YOURS
            )


def _permissions(about: str, folder: Path) -> Iterator[Complaint]:
    mode = stat.S_IMODE(folder.stat().st_mode)
    facts = {"path": str(folder), "mode": f"{mode:04o}"}
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        how = Sentence("make the folder yours, with chown and chmod 700")
        yield Complaint("failure", about, Sentence("{path} cannot be written (mode {mode})", **facts), how)
    elif mode & 0o077:
        what = Sentence("{path} can be read by others (mode {mode})", **facts)
        yield Complaint("warning", about, what, _BY_MENDING, lambda: os.chmod(folder, 0o700))
    else:
        yield Complaint("ok", about, Sentence("{path} exists and is private", **facts))


def _file_system(root: Path) -> Iterator[Complaint]:
    kind = _file_system_type(root)
    if kind.startswith(_NETWORK):
        how = Sentence("move the home to a local disk: ALMARIO_HOME")
        what = Sentence("the home is on a network file system ({kind}), which is not supported", kind=kind)
        yield Complaint("failure", "disk", what, how)
    try:
        with locked(root / ".lock", seconds=1):
            exchanges = can_exchange(root)
    except (AlmarioError, OSError) as exc:
        why = sentence_of(exc)
        how = Sentence("use a file system with locks, and a folder you can write to")
        yield Complaint("failure", "disk", Sentence("files cannot be written safely: {why}", why=why), how)
        return
    if exchanges:
        yield Complaint("ok", "disk", Sentence("the file system can lock and exchange files"))
    else:
        what = Sentence(
            "the file system cannot exchange files; an edit in the same microsecond as a write can be lost"
        )
        yield Complaint("warning", "disk", what, Sentence("use ext4, XFS, Btrfs or APFS"))
    disk = os.statvfs(root)
    free = disk.f_bavail * disk.f_frsize
    if free < _LITTLE_SPACE:
        what = Sentence("only {megabytes} MB are free", megabytes=free // 1024 // 1024)
        yield Complaint("warning", "disk", what, Sentence("free up some space"))


def _file_system_type(path: Path) -> str:
    """Return the type of the file system that *path* lies on, where the system tells."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    real = os.path.realpath(path)
    best, kind = "", ""
    for fields in (line.split(" ") for line in mounts):
        point = fields[1].replace("\\040", " ")
        if (real + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind


def _links(agent: str, root: Path) -> Iterator[Complaint]:
    """Find the folders in an agent's that are links: those that Almario writes in, and others."""
    for path in (each for each in root.rglob("*") if each.is_symlink() and each.is_dir()):
        name = path.relative_to(root).as_posix()
        if name != ".index":
            what = Sentence(
                "{name} is a link to a folder: nothing in it is searched, backed up or erased", name=name
            )
            yield Complaint("warning", agent, what, Sentence("put the folder itself there"))


def _documents(agent: str, vault: FolderStore) -> Iterator[Complaint]:
    names = [*SOUL_FILES, CORE_MEMORY]
    logs = vault.root / "memory"
    names += [
        f"memory/{name}" for name in (sorted(os.listdir(logs)) if logs.is_dir() else ()) if name[-3:] == ".md"
    ]
    bad = False
    for name in names:
        try:
            _ = vault.read(name).text
        except AlmarioError as exc:
            bad = True
            yield Complaint("failure", agent, sentence_of(exc))
    if not bad:
        yield Complaint("ok", agent, Sentence("every file can be read"))


def _leftovers(about: str, folders: list[Path]) -> Iterator[Complaint]:
    """Find edits that were set aside, and temporary files of killed processes."""
    for path in (folder / name for folder in folders for name in sorted(os.listdir(folder))):
        is_copy = replacing.is_copy(path.name)
        if is_copy and replacing.is_discardable(path):
            what = Sentence("{path} is what a killed process left", path=str(path))
            yield Complaint("warning", about, what, _BY_MENDING, partial(files.remove, path))
        elif is_copy or ".conflict-" in path.name:
            what = Sentence("{name} holds an edit that was set aside", name=str(path))
            how = Sentence("copy what you want from it into the file it is named after, then delete it")
            yield Complaint("warning", about, what, how)


def _journal(agent: str, vault: FolderStore) -> Iterator[Complaint]:
    damage = vault.journal.check()
    tail = vault.journal.tail()
    if not tail.seq and (vault.root / ".versions").is_dir():
        how = Sentence("restore the folder journal/ from a backup; without it the history is lost")
        yield Complaint("failure", agent, Sentence("the journal is missing, though there are versions"), how)
    elif not damage:
        yield Complaint("ok", agent, Sentence("the journal is whole: {count} lines", count=tail.seq))
    for place in damage:
        what = Sentence("{place} {problem}", place=place.place, problem=place.problem)
        if missing(place):
            how = Sentence(
                'restore that file from a backup; without one, "almario doctor --mend" marks the lines '
                "as lost"
            )
            yield Complaint("failure", agent, what, how, vault.mend_journal)
        elif place.line is None or place.problem.facts:
            how = Sentence(
                "keep only one machine's copy of this agent, or restore that journal from a backup"
            )
            yield Complaint("failure", agent, what, how)
        else:
            how = Sentence(
                '"almario doctor --mend" moves it to journal/cut/; a backup of that file has it whole'
            )
            yield Complaint("failure", agent, what, how, vault.mend_journal)
