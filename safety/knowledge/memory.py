"""What an earlier compiling made, taken over where neither an entry's own file nor any answer it was given has changed.

Three levels, each kept in the store of the compiled knowledge under `work.`:
- files: which ids a file that had no slip declares, so that it need not be read to know them;
- pieces: what one entry was compiled to, in a section of the library, and the questions it asked about others;
- wholes: a section that is made from all of something at once, and what it was made from.
Nothing is kept of a compiling that found a problem: the next one finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from safety.knowledge.asking import MADE, WHAT, Asking, Question, Watched, WatchedSet, digest
from safety.knowledge.collecting import KnowledgeFile
from safety.knowledge.lazy import Records
from safety.knowledge.library import Derived, Library
from safety.knowledge.store import (
    Field,
    Store,
    Writer,
    fields,
    read_field,
    read_records,
    read_value,
    write_field,
    write_records,
    write_value,
)

T = TypeVar("T")
S = TypeVar("S", bound=Struct)


class _Drafted(Protocol):
    """What something is compiled of, and the file that it stands in."""

    @property
    def file(self) -> KnowledgeFile: ...


D = TypeVar("D", bound=_Drafted)

LIBRARY, DERIVED = "library", "derived."
_FROM = "#from"
WORK = "work."
_FILES, _PIECES, _QUESTIONS, _GROUND = (f"{WORK}{part}" for part in ("files", "pieces", "questions", "ground"))


def holds_derived(store: Store, what: Derived[Any]) -> bool:
    """Whether what is derived is stored there."""
    return f"{DERIVED}{what.name}{_FROM}" in store


def _using(what: Derived[Any], written: Writer) -> bytes:
    """The digest of the sections that something is derived from."""
    return "".join(written.digest(f"{LIBRARY}.{section}") for section in what.sections).encode()


class DeclaredFile(Struct, frozen=True, array_like=True):
    """What a file without a slip declares: the id it gives, and of its entries (those of its rows) the ids, the earlier ones,
    and whether each is in use (empty: it says nothing of that)."""

    given: str
    ids: tuple[tuple[str, tuple[str, ...], str], ...]


class _Piece(Struct, frozen=True, array_like=True):
    """Of which file a piece was made, and the numbers of the questions it asked."""

    file: str
    asked: tuple[int, ...]


class Made(Generic[T]):
    """One thing that was compiled: as a value and as it is stored, each made when it is asked for."""

    __slots__ = ("_digest", "_raw", "_value", "id")

    def __init__(self, i: str, value: T) -> None:
        self.id = i
        self._value = value
        self._raw: bytes | None = None
        self._digest = ""

    @property
    def value(self) -> T:
        """The thing itself."""
        return self._value

    @property
    def raw(self) -> bytes:
        """The thing as it is stored."""
        if self._raw is None:
            self._raw = msgspec.msgpack.encode(self._value)
        return self._raw

    @property
    def digest(self) -> str:
        """The same for equal things."""
        if not self._digest:
            self._digest = digest([self.raw])
        return self._digest


class _Earlier(Made[T]):
    """One thing that was compiled at an earlier time."""

    __slots__ = ("_n", "_records")

    def __init__(self, i: str, records: Records[T], n: int) -> None:
        self.id = i
        self._records = records
        self._n = n
        self._digest = ""

    @property
    def value(self) -> T:
        return self._records[self._n]

    @property
    def raw(self) -> bytes:
        return self._records.raw(self._n)


class MadeRecords(Sequence[T], Generic[T]):
    """Things that were compiled, in order of id; those of an earlier time are decoded when they are asked for."""

    def __init__(self, held: Iterable[Made[T]]) -> None:
        self.held = tuple(held)

    def __len__(self) -> int:
        return len(self.held)

    def __getitem__(self, n: Any) -> Any:
        return tuple(h.value for h in self.held[n]) if isinstance(n, slice) else self.held[n].value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids in order."""
        return tuple(h.id for h in self.held)

    @cached_property
    def by_id(self) -> Mapping[str, T]:
        """The things by their ids."""
        return _ById(self.held)

    def raw(self, n: int) -> bytes:
        """One of them as it is stored."""
        return self.held[n].raw

    @cached_property
    def digest(self) -> str:
        """The same for equal things in the same order."""
        return digest(h.raw for h in self.held)

    def with_others(self, others: Mapping[str, Made[T]]) -> MadeRecords[T]:
        """The same with others in the place of those that have their ids."""
        return MadeRecords(others.get(h.id, h) for h in self.held)


class _ById(Mapping[str, T]):
    def __init__(self, held: Sequence[Made[T]]) -> None:
        self._held = {h.id: h for h in held}

    @property
    def made(self) -> Iterable[Made[T]]:
        """The things as they were made."""
        return self._held.values()

    def __getitem__(self, i: str) -> T:
        return self._held[i].value

    def __contains__(self, i: object) -> bool:
        return i in self._held

    def __iter__(self) -> Any:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


class Remade(Struct, frozen=True):
    """What came out otherwise when it was made again: the things of each section by id; whole sections that may be others;
    whether something came to nothing."""

    made: Mapping[str, Mapping[str, Made[Any]]]
    wholes: frozenset[str]
    lost: bool


class _Edit(Struct, frozen=True):
    """While something is made again: the questions with other answers now, and what was made before."""

    said: frozenset[Question]
    before: Mapping[str, Made[Any] | None]


class Memory:
    """Remembers for one compiling, and notes for the next. Without a store it remembers nothing.

    `keeps`: whether what is compiled will be stored; if not, nothing is noted that costs time.
    """

    def __init__(self, asking: Asking, store: Store | None = None, *, keeps: bool = False) -> None:
        self.keeps = keeps
        self._asking = asking
        self._store = store
        self._watched: dict[str, Watched[Any] | WatchedSet] = {}
        self._makers: dict[str, Callable[[str], Made[Any] | None]] = {}
        self._done: dict[str, Made[Any] | None] = {}
        self._valid: set[int] = set()
        self._changed: set[int] = set()
        self._checking: set[str] = set()
        self._sections: dict[str, Records[Any]] = {}
        self._ground = ""
        self._files: dict[str, DeclaredFile] = {}
        self._taken: dict[str, _Piece] = {}
        self._pieces: dict[str, tuple[str, tuple[Question, ...]]] = {}
        self._answers: dict[Question, str] = {}
        self._edit: _Edit | None = None
        self._before_edit = self._done, self._taken, self._pieces

    # -------------------------------------------------------------- files

    def declared(self, file: KnowledgeFile) -> DeclaredFile | None:
        """What a file declares, if it was read before without a slip."""
        found = self._files.get(file.identity) or self._old_files.get(file.identity)
        if found is not None:
            self._files[file.identity] = found
        return found

    def declare(self, file: KnowledgeFile, given: str, ids: Iterable[tuple[str, tuple[str, ...], str]]) -> None:
        """Note what a file without a slip declares."""
        self._files[file.identity] = DeclaredFile(given, tuple(ids))

    # -------------------------------------------------------------- pieces

    def watch(self, *watched: Watched[Any] | WatchedSet) -> None:
        """The groups that may be asked about; complete when the first piece is compiled."""
        self._watched.update({w.name: w for w in watched})

    def stand_on(self, ground: Any) -> None:
        """What every piece may use without asking (the units); where it is another, nothing is remembered of pieces."""
        self._ground = digest([msgspec.msgpack.encode(ground)])

    def maker(self, section: str, make: Callable[[str], Made[Any] | None]) -> None:
        """How a thing of a section is compiled by its id; needed where others ask about what was compiled."""
        self._makers[section] = make

    def section(
        self, section: str, of: Any, draft_of: Callable[[str], D | None], build: Callable[[D], T | None]
    ) -> Callable[[str], Made[T] | None]:
        """How the things of a section are compiled, each of the draft that has its id."""

        def make(i: str) -> Made[T] | None:
            draft = draft_of(i)
            return None if draft is None else self.made(section, i, draft.file, of, lambda: build(draft))

        self.maker(section, make)
        return make

    def made(self, section: str, i: str, file: KnowledgeFile, of: Any, build: Callable[[], T | None]) -> Made[T] | None:
        """What an entry is compiled to in a section: as it was, if nothing it depends on has changed, or built now."""
        key = f"{section} {i}"
        if key not in self._done:
            self._done[key] = self._kept(key, section, i, file, of) or self._built(key, i, file.identity, build)
        held: Made[T] | None = self._done[key]
        self._asking.note((MADE, key, WHAT), lambda: self._answer((MADE, key, WHAT)))
        return held

    def whole(self, section: str, of: type[Struct], made_from: Callable[[], Iterable[str]], build: Callable[[], T]) -> T:
        """A section that is made at once, a field of `of`: as it was, if it is made from the same, or built now."""
        if not self.keeps and self._store is None:
            return build()
        key, using = f"{section} ", digest(made_from())
        if self._store is not None and self._unchanged(key, using):
            kept: T = read_field(self._store, f"{LIBRARY}.{section}", fields(of)[section])
            return kept
        with self._asking.noting() as asked:
            value = build()
        self._note(key, using, asked)
        return value

    def _built(self, key: str, i: str, file: str, build: Callable[[], T | None]) -> Made[T] | None:
        with self._asking.noting() as asked:
            value = build()
        if value is None:
            return None
        self._note(key, file, asked)
        return Made(i, value)

    def _kept(self, key: str, section: str, i: str, file: KnowledgeFile, of: Any) -> Made[Any] | None:
        if self._edit is not None:
            return self._as_before(self._edit, key, file.identity)
        if not self._same_ground or not self._unchanged(key, file.identity):
            return None
        records = self._section(section, of)
        n = records.ids.position(i)
        return None if n is None else _Earlier(i, records, n)

    def _unchanged(self, key: str, file: str) -> bool:
        """Whether a piece is made from the same as before; it is noted for the next time, too."""
        piece = self._old_pieces.get(key)
        if piece is None or piece.file != file or key in self._checking:
            return False
        if not self._valid.issuperset(piece.asked):
            self._checking.add(key)
            try:
                if not all(map(self._still, piece.asked)):
                    return False
            finally:
                self._checking.discard(key)
        self._taken[key] = piece
        return True

    def _note(self, key: str, file: str, asked: Mapping[Question, str]) -> None:
        self._answers.update(asked)
        self._pieces[key] = (file, tuple(asked))
        if self._edit is not None:
            self._taken.pop(key, None)
            for question in asked:
                self._asked_by.setdefault(question, []).append(key)

    def _still(self, n: int) -> bool:
        """Whether a question has the answer that it had."""
        if n in self._valid:
            return True
        if n in self._changed:
            return False
        question, answer = self._old_questions[n]
        same = self._answer(question) == answer
        (self._valid if same else self._changed).add(n)
        return same

    def _answer(self, question: Question) -> str:
        name, i, aspect = question
        if name != MADE:
            return self._watched[name].answer(i, aspect) if name in self._watched else ""
        if i not in self._done:
            section, _, own = i.partition(" ")
            if section in self._makers:
                with self._asking.noting():  # whoever is being compiled meanwhile did not ask
                    self._makers[section](own)
        held = self._done.get(i)
        return held.digest if held is not None else ""

    def write_derived(self, what: Derived[Any], library: Library, into: Writer, *, derive: bool) -> None:
        """What is derived from sections that are written already: as it was, if they are what they were; else made, if asked."""
        prefix = f"{DERIVED}{what.name}"
        using, store = _using(what, into), self._store
        if store is not None and holds_derived(store, what) and store.part(prefix + _FROM) == using:
            into.add(prefix + _FROM, using)
            for name in store.names():
                if name.startswith(f"{prefix}."):
                    into.add(name, store.part(name))
        elif derive:
            into.add(prefix + _FROM, using)
            write_value(into, prefix, library.derived(what))

    def derived(self, what: Derived[S], library: Library) -> S | None:
        """What is derived from sections as it was stored, if they are what they were; else None."""
        store = self._store
        if store is None or not holds_derived(store, what):
            return None
        sections, kinds = Writer(""), fields(type(library))
        for section in what.sections:
            write_field(sections, f"{LIBRARY}.{section}", kinds[section], getattr(library, section))
        prefix = f"{DERIVED}{what.name}"
        return read_value(store, prefix, what.of) if store.part(prefix + _FROM) == _using(what, sections) else None

    # -------------------------------------------------------------- while files are edited

    def make_again(self, said: Iterable[Question], ids: Iterable[str]) -> Remade:
        """Make again what is made of the entries `ids` of edited files, what asked one of the questions `said`, which have
        other answers now, and what asked about any of those in turn. `take_back` gives what there was before."""
        asked = frozenset(said)
        reached = self._reached(asked, ids)
        held = {key: self._done[key] for key in reached if key in self._done}
        self._before_edit = self._done, self._taken, self._pieces
        self._done = {key: one for key, one in self._done.items() if key not in held}
        self._taken, self._pieces = dict(self._taken), dict(self._pieces)
        self._edit = _Edit(asked, held)
        try:
            for key in sorted(held):
                section, _, i = key.partition(" ")
                self._makers[section](i)
        finally:
            self._edit = None
        made: dict[str, dict[str, Made[Any]]] = {}
        for key, was in held.items():
            now = self._done.get(key)
            if now is not None and now is not was and (was is None or now.digest != was.digest):
                section, _, i = key.partition(" ")
                made.setdefault(section, {})[i] = now
        lost = any(was is not None and self._done.get(key) is None for key, was in held.items())
        return Remade(made, frozenset(key.rstrip() for key in reached if key.endswith(" ")), lost)

    def know_who_asked(self) -> None:
        """Work out now, and not at the first edit, what asked which question."""
        _ = self._asked_by

    def take_back(self) -> None:
        """As it was before the last `make_again`."""
        self._done, self._taken, self._pieces = self._before_edit

    def _reached(self, said: Iterable[Question], ids: Iterable[str]) -> set[str]:
        """What may come out otherwise by an edit."""
        reached = {key for i in ids for section in self._makers if (key := f"{section} {i}") in self._done}
        pending: list[Question] = [*said, *((MADE, key, WHAT) for key in reached)]
        while pending:
            for key in self._asked_by.get(pending.pop(), ()):
                if key not in reached:
                    reached.add(key)
                    pending.append((MADE, key, WHAT))
        return reached

    @cached_property
    def _asked_by(self) -> dict[Question, list[str]]:
        """Of each question, what asked it."""
        found: dict[Question, list[str]] = {}
        for key, (_, asked) in self._pieces.items():
            for question in asked:
                found.setdefault(question, []).append(key)
        for key, piece in self._taken.items():
            for n in piece.asked:
                found.setdefault(self._old_questions[n][0], []).append(key)
        return found

    def _as_before(self, edit: _Edit, key: str, file: str) -> Made[Any] | None:
        """What was made before the edit, where it is made of the same, and nothing that it asked is answered otherwise."""
        held = edit.before.get(key)
        made_of, asked = self._made_of(key)
        if held is None or made_of != file or key in self._checking:
            return None
        self._checking.add(key)
        try:
            return held if all(self._answered_so(edit, question) for question in asked) else None
        finally:
            self._checking.discard(key)

    def _made_of(self, key: str) -> tuple[str, tuple[Question, ...]]:
        """Of which file a thing is made, and what it asked."""
        if key in self._pieces:
            return self._pieces[key]
        piece = self._taken.get(key)
        return ("", ()) if piece is None else (piece.file, tuple(self._old_questions[n][0] for n in piece.asked))

    def _answered_so(self, edit: _Edit, question: Question) -> bool:
        """Whether a question is answered as it was before the edit."""
        group, key, _ = question
        if question in edit.said:
            return False
        if group != MADE or key not in edit.before:
            return True
        was = edit.before[key]
        return self._answer(question) == (was.digest if was is not None else "")

    def finish(self) -> None:
        """Let go of what only compiling needs: the drafts, and the documents that they were read from."""
        self._watched.clear()
        self._makers.clear()

    # -------------------------------------------------------------- the store

    def write(self, into: Writer) -> None:
        """Everything that the next compiling may take over and that is no part of the library."""
        encode = msgspec.msgpack.encode
        used = {n for piece in self._taken.values() for n in piece.asked}
        questions = sorted({*self._answers.items(), *(self._old_questions[n] for n in used)})
        numbers = {question: n for n, (question, _) in enumerate(questions)}
        pieces = {
            key: _Piece(file, tuple(sorted(map(numbers.__getitem__, asked)))) for key, (file, asked) in self._pieces.items()
        }
        now = {n: numbers[self._old_questions[n][0]] for n in sorted(used)}
        for key, piece in self._taken.items():  # numbered anew, they stay in their order
            pieces[key] = _Piece(piece.file, tuple(map(now.__getitem__, piece.asked)))
        into.add(_GROUND, encode(self._ground))
        into.add(_FILES, encode(dict(sorted(self._files.items()))))
        into.add(_QUESTIONS, encode(questions))
        into.add(_PIECES, encode(dict(sorted(pieces.items()))))
        sections: dict[str, list[Made[Any]]] = {}
        for key, held in self._done.items():
            section = key.partition(" ")[0]
            if section.startswith(WORK) and held is not None:
                sections.setdefault(section, []).append(held)
        for section in sorted(sections):
            write_records(into, section, MadeRecords(sorted(sections[section], key=lambda h: h.id)))

    def _old(self, part: str, of: Any, otherwise: Any) -> Any:
        """A part of what was noted the last time."""
        if self._store is None or part not in self._store:
            return otherwise
        return read_field(self._store, part, Field("value", of))

    @cached_property
    def _old_files(self) -> dict[str, DeclaredFile]:
        found: dict[str, DeclaredFile] = self._old(_FILES, dict[str, DeclaredFile], {})
        return found

    @cached_property
    def _old_questions(self) -> list[tuple[Question, str]]:
        found: list[tuple[Question, str]] = self._old(_QUESTIONS, list[tuple[Question, str]], [])
        return found

    @cached_property
    def _old_pieces(self) -> dict[str, _Piece]:
        found: dict[str, _Piece] = self._old(_PIECES, dict[str, _Piece], {})
        return found

    @cached_property
    def _same_ground(self) -> bool:
        return bool(self._old(_GROUND, str, "") == self._ground)

    def _section(self, section: str, of: Any) -> Records[Any]:
        if section not in self._sections:
            assert self._store is not None
            name = section if section.startswith(WORK) else f"{LIBRARY}.{section}"
            self._sections[section] = read_records(self._store, name, of, at_once=True)
        return self._sections[section]
