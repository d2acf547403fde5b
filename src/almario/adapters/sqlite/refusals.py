"""What SQLite and the system refuse, in the project's own errors: the one place that knows theirs."""

import contextlib
from collections.abc import Iterator

from almario.domain.messages import sentence_of
from almario.errors import Damaged, StoreBusy, StoreError


@contextlib.contextmanager
def named(path: str) -> Iterator[None]:
    """Raise `Damaged` for bytes that are not what was written, and `StoreError` for what cannot be done."""
    import apsw  # noqa: PLC0415 - 5 ms, and only for commands that look into the index

    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as exc:
        raise StoreBusy("{path} is in use by another process; try again when it is done", path=path) from exc
    except (apsw.FullError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError) as exc:
        raise StoreError("{path} cannot be written: {why}", path=path, why=str(exc)) from exc
    except apsw.IOError as exc:
        code = getattr(exc, "extendedresult", None)
        if code in (apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_SHORT_READ):
            raise damaged(path, exc) from exc
        raise StoreError("{path} cannot be written: {why}", path=path, why=str(exc)) from exc
    except (
        apsw.CorruptError,
        apsw.NotADBError,
        apsw.SQLError,  # a table or a column is missing
        apsw.FormatError,
        apsw.ConstraintError,  # a row is there that no index knows
        apsw.MismatchError,
        apsw.TooBigError,
        UnicodeDecodeError,
    ) as exc:
        raise damaged(path, exc) from exc


@contextlib.contextmanager
def handling(path: str) -> Iterator[None]:
    """Raise `Damaged` for a file that vanished, and `StoreError` for what the system refuses."""
    try:
        yield
    except FileNotFoundError as exc:
        raise damaged(path, "there is no file") from exc
    except OSError as exc:
        raise StoreError("{path} cannot be written: {why}", path=path, why=sentence_of(exc)) from exc


def damaged(path: str, why: object) -> Damaged:
    """Return the error for a database whose content cannot be believed."""
    return Damaged("{path} is damaged: {why}", path=path, why=str(why))
