"""A locked backup is an age file: it opens with its key alone, whole or not at all, and leaves no trace."""

import base64
import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pyrage
import pytest
from click.testing import CliRunner

from almario import wiring
from almario.apps.cli import root
from almario.errors import AlmarioError, Damaged, MissingExtra, SoulError
from almario.soul import Soul
from almario.store.files import locked
from almario.testing import FixedClock
from almario.upkeep import archive
from almario.upkeep.backup import BACKUP_KEY, Backups
from tests.tables import each_row
from tests.upkeep.test_backup import content_below

WORD = b"Nube"
# A key that a passphrase locks, with as little work as can be: ours take a second.
PASSPHRASE = "a horse, correct"
PUBLIC = "age1l4ef0a9jqymwmys32pfr5vmjrf3hc36jmqgzm5p53msrrednyars2dehsx"
SECRET = base64.b64decode(
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBBU1Q0M3NkMkJmbnNtVEVaREFucFh3IDEKRTFSZjBpS2cwS2p1UGdS"
    "blRIMFE4ZTVrZEp6N0h0SmpwMnJrditMbGcrbwotLS0gZWp3OThLU2FQK1dhYzlCbUVTY3pObGJoWm4rdVRMNWwzdm5nRHlq"
    "YTJWbwo+XfLDiSPAFT2Gdj3TfFwKq6oTeZy3Znqf+zcI2miHxbRkfjQzshss7ag4eGIQFMvbkPdNGCsbh+FBLdrZ/WHIfxOH"
    "rz9p3TAXbp9exK1+LuhZKspeeC2YsB+NIgeU/5HsVwceEgxEF1gzvA=="
)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.txt"
    path.write_text(f"# mine\n{pyrage.x25519.Identity.generate()}\n")
    return path


def public(key: Path) -> str:
    return str(pyrage.x25519.Identity.from_str(key.read_text().splitlines()[1]).to_public())


@pytest.fixture
def backups(soul: Soul, home: Path, clock: FixedClock, key: Path) -> Backups:
    soul.remember("gata: Nube")
    return wiring.backups(home, settings={"backup.recipients": public(key)}, clock=clock)


def test_what_is_locked_comes_back_with_its_key_and_not_without(
    backups: Backups, home: Path, key: Path, tmp_path: Path
) -> None:
    made = backups.make()

    assert made.path.name.endswith("Z.tar.gz.age")
    assert [each.is_locked for each in backups.all()] == [True]
    assert not tarfile.is_tarfile(made.path)
    with pytest.raises(SoulError, match="is locked; name the file of your secret key"):
        backups.restore(made.path, tmp_path / "again")
    assert backups.check(made.path, identity=key) == []
    backups.restore(made.path, tmp_path / "again", identity=key)
    assert content_below(tmp_path / "again" / "agents") == content_below(home / "agents")


def test_an_ssh_key_and_a_file_of_keys_lock_too(backups: Backups, key: Path, tmp_path: Path) -> None:
    if not (ssh := shutil.which("ssh-keygen")):
        pytest.skip("ssh-keygen is not installed, so nothing is locked with a key of SSH")
    subprocess.run([ssh, "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "id"], check=True)
    both = tmp_path / "keys"
    both.write_text(f"# all of us\n{public(key)}\n\n{(tmp_path / 'id.pub').read_text()}")

    made = backups.make(recipients=[str(both)])

    assert backups.check(made.path, identity=key) == []
    assert backups.check(made.path, identity=tmp_path / "id") == []


def test_the_program_age_opens_it(backups: Backups, key: Path) -> None:
    if not (age := shutil.which("age")):
        pytest.skip("age is not installed (apt-get install age), so nothing shows that it opens our archives")
    made = backups.make()

    opened = subprocess.run([age, "-d", "-i", key, made.path], check=True, capture_output=True).stdout

    with tarfile.open(fileobj=io.BytesIO(opened)) as found:
        assert "agents/default/SOUL.md" in found.getnames()


def test_a_passphrase_opens_the_key_that_lies_beside(
    soul: Soul, home: Path, tmp_path: Path, clock: FixedClock
) -> None:
    soul.remember("gata: Nube")
    (home / BACKUP_KEY).write_bytes(SECRET)
    backups = wiring.backups(home, settings={"backup.recipients": PUBLIC}, clock=clock)
    folder = shutil.copytree(backups.make().path.parent, tmp_path / "disk")
    elsewhere = wiring.backups(tmp_path / "new", clock=clock)
    [copy] = folder.glob("*.tar.gz.age")

    for wrong in (lambda: "a house", None):
        with pytest.raises(SoulError, match=r"does not open with this passphrase|at a terminal"):
            elsewhere.restore(copy, tmp_path / "again", passphrase=wrong)
    assert not (tmp_path / "again").exists()
    elsewhere.restore(copy, tmp_path / "again", passphrase=lambda: PASSPHRASE)

    assert content_below(tmp_path / "again" / "agents") == content_below(home / "agents")
    (backups.folder / BACKUP_KEY).write_text("an older one, which opens older archives")
    assert "is another key; move it away, and keep it" in str(backups.make().told)
    assert "older" in (backups.folder / BACKUP_KEY).read_text()
    with pytest.raises(SoulError, match="is there already"):
        backups.make_key(lambda: "another")


def _cut(at: float) -> Callable[[bytes], bytes]:
    return lambda content: content[: int(len(content) * at)]


def _changed(at: float) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        place = int((len(content) - 1) * at)
        return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]

    return change


SHARES = [n / 20 for n in range(21)]
DAMAGES = [(_cut, at) for at in SHARES[:-1]] + [(_changed, at) for at in SHARES]


def test_a_cut_or_changed_one_is_refused_and_nothing_is_restored(
    backups: Backups, key: Path, tmp_path: Path
) -> None:
    whole = backups.make().path.read_bytes()
    bad = tmp_path / "x" / "bad.tar.gz.age"
    bad.parent.mkdir()

    @each_row("damage, at", DAMAGES)
    def refused(damage: Callable[[float], Callable[[bytes], bytes]], at: float) -> None:
        bad.write_bytes(damage(at)(whole))
        with pytest.raises((Damaged, SoulError)):
            backups.restore(bad, bad.parent / "again", identity=key)
        assert os.listdir(bad.parent) == [bad.name]

    refused()


BAD_KEYS = {
    f"{pyrage.x25519.Identity.generate()}\n": "does not open with this key",
    "": "holds no secret key",
    "age1qqqq": "holds no secret key",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n": "holds no secret key",
}


def test_another_key_or_none_opens_nothing(backups: Backups, tmp_path: Path) -> None:
    made = backups.make()

    for number, (content, sentence) in enumerate(BAD_KEYS.items()):
        (tmp_path / f"{number}").write_text(content)
        with pytest.raises(SoulError, match=sentence):
            backups.restore(made.path, tmp_path / "again", identity=tmp_path / f"{number}")
        assert not (tmp_path / "again").exists()


def test_nothing_is_locked_with_what_is_no_public_key(backups: Backups, key: Path) -> None:
    secret = key.read_text().splitlines()[1]
    for wanted in (secret, str(key), "age1nobody", "ssh-ed25519 AAAA", "/nowhere"):
        with pytest.raises(SoulError) as refused:
            backups.make(recipients=[wanted])
        assert secret[:20] not in str(refused.value)
    assert backups.all() == []


@pytest.mark.parametrize("step", ["copied", "packed", "tried"])
def test_a_run_that_is_killed_leaves_nothing_unlocked(
    backups: Backups, home: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def die(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    if not (child := os.fork()):
        if step != "packed":
            monkeypatch.setattr("almario.upkeep.backup." + ("pack" if step == "copied" else "unpack"), die)
        backups.make(die)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL

    left = [path for path in home.rglob("*") if path.is_file() and home / "agents" not in path.parents]
    assert not [path for path in left if WORD in path.read_bytes()]
    assert [path.name for path in backups.make().path.parent.glob(".making*")] == []


@pytest.mark.parametrize("is_new", [False, True])
def test_what_a_killed_restore_wrote_is_gone_with_the_next_command(
    backups: Backups, home: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    made = backups.make().path.rename(tmp_path / "locked.age")
    if is_new:  # a machine without a home: this is to be it
        home = tmp_path / "new"
        backups = wiring.backups(home)

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    place = home if is_new else tmp_path / "far" / "again"
    if not (child := os.fork()):
        monkeypatch.setattr("almario.upkeep.backup._settle_paths", die)
        backups.restore(made, place, identity=key)
    os.waitpid(child, 0)
    [left] = place.parent.glob(".*.restoring")
    assert left.stat().st_mode & 0o777 == 0o700
    with locked(left / ".lock", seconds=0):  # of another that is under way
        CliRunner().invoke(root(), ["--home", str(home), "agents"])
        assert any(WORD in path.read_bytes() for path in left.rglob("*.jsonl"))
    CliRunner().invoke(root(), ["--home", str(home), "agents"])

    assert not left.exists()
    assert not [*home.glob("run/*")]


def test_no_command_removes_what_no_restore_of_ours_made(home: Path, soul: Soul, tmp_path: Path) -> None:
    token, notes = "0" * 32, home / "run"
    notes.mkdir(exist_ok=True)
    places = [tmp_path / name for name in ("mine", ".mine.restoring", ".other.restoring", ".link.restoring")]
    for place in (*places[:3], beside := home.with_name(f".{home.name}.restoring")):
        place.mkdir()
        (place / "mine.txt").write_text("mine")
    places[3].symlink_to(places[0])
    (places[0] / ".token").write_text(token)
    (places[2] / ".token").write_text("1" * 32)  # of another restore
    (notes / "restoring.ab").symlink_to(places[0])
    (notes / "restoring.cd").mkdir()
    (notes / "restoring.ef").write_text("mine")
    for number, noted in enumerate((*map(str, places), "../.other.restoring", "\0", "")):
        (notes / f"restoring.{number:032}").write_text(noted)
        (notes / f"restoring.{token}").write_text(noted)
        before = sorted(notes.iterdir())
        assert CliRunner().invoke(root(), ["--home", str(home), "agents"]).exit_code == 0
        assert sorted(notes.iterdir()) == before

    assert all((place / "mine.txt").is_file() for place in (*places, beside))
    assert sorted(os.listdir(places[0])) == [".token", "mine.txt"]  # nor is a link to it followed


def test_a_restore_leaves_alone_what_is_in_its_way_and_clears_what_is_its_own(
    backups: Backups, key: Path, tmp_path: Path
) -> None:
    made, place = backups.make().path, tmp_path / ".again.restoring"
    place.mkdir()
    (place / "home").mkdir()
    with pytest.raises(SoulError, match="is in the way"):
        backups.restore(made, tmp_path / "again", identity=key)
    assert [*place.iterdir()] == [place / "home"]
    (place / ".token").write_text("0" * 32)  # that of one that was killed
    backups.restore(made, tmp_path / "again", identity=key)

    assert (tmp_path / "again" / "agents").is_dir()
    assert not place.exists()


def test_a_locked_one_is_tried_without_writing_what_is_in_it(
    backups: Backups, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_write", lambda *_: pytest.fail("it was written"))

    assert backups.check(backups.make().path, identity=key) == []


def test_one_that_does_not_come_out_as_it_went_in_is_not_kept(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    encrypt = pyrage.encrypt_io

    def badly(reader: object, writer: object, keys: object) -> None:
        encrypt(reader, writer, keys)
        writer.truncate(writer.seek(-1, 2))  # type: ignore[attr-defined]

    monkeypatch.setattr(pyrage, "encrypt_io", badly)

    with pytest.raises(Damaged, match="cut or changed"):
        backups.make()
    assert backups.all() == []


def test_the_last_complete_one_is_kept_though_nobody_here_can_open_it(
    home: Path, soul: Soul, clock: FixedClock, tmp_path: Path, key: Path
) -> None:
    wiring.open_home(home).home.create("berta", lambda folder: None, path=str(tmp_path / "disk"))
    chosen = {"backup.keep": 1, "backup.recipients": public(key)}
    backups = wiring.backups(home, settings=chosen, clock=clock)
    last = backups.make().path
    os.rename(tmp_path / "disk", tmp_path / "unplugged")
    clock.advance(days=1)
    without = backups.make().path

    assert without.name.endswith(".incomplete.tar.gz.age")
    assert backups.rotate() == []
    assert [each.path for each in backups.all()] == [without, last]


def test_without_pyrage_one_sentence_has_the_line_to_run(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyrage", None)

    with pytest.raises(MissingExtra, match=r"pip install 'almario\[age\]'"):
        backups.make()
    with pytest.raises(AlmarioError):
        backups.make_key(lambda: pytest.fail("it was asked for"))
