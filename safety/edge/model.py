"""The extractor that asks a language model, behind any endpoint of the OpenAI protocol.

The dictionary reads the same text first: a model only adds, each of its items quotes the text, and what it adds is marked as its
own and asked about. So a model can change no verdict: `case_of` leaves out what nobody confirmed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import resources
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.edge.dictionary import DictionaryExtractor
from safety.edge.extraction import (
    CONTEXTS,
    AllergySaid,
    ConditionSaid,
    ConditionStanding,
    Context,
    Extraction,
    MedicationSaid,
    Quoted,
    ResultSaid,
    Span,
)
from safety.edge.naming import normalised
from safety.errors import Place, Problem, RequestError
from safety.text import fold, printable

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LONGEST_PART = 16_000
"""So many characters are asked about at once; a longer text is asked about in parts, cut at the end of a line."""
_LONGEST_QUOTE = 200
_MOST_ITEMS = 400


class Endpoint(Struct, frozen=True):
    """Where a model answers, and within which bounds: seconds for one answer, tries after a failure, calls and tokens in all."""

    url: str
    model: str = "default"
    key: str = "none"
    timeout: int = 30
    retries: int = 2
    most_calls: int = 100
    most_tokens: int = 400_000
    answer_tokens: int = 4_000


class _Medication(Struct, frozen=True):
    quote: str
    context: Context
    dose: str | None = None
    amount: str | None = None
    directions: str | None = None
    time: str | None = None
    reason: str | None = None


class _Condition(Struct, frozen=True):
    quote: str
    standing: ConditionStanding


class _Allergy(Struct, frozen=True):
    quote: str
    reaction: str | None = None
    denied: bool = False


class _Result(Struct, frozen=True):
    quote: str


class _Reply(Struct, frozen=True):
    medications: list[_Medication] = []
    conditions: list[_Condition] = []
    allergies: list[_Allergy] = []
    results: list[_Result] = []


class Budget:
    """Calls and tokens that are left; shared between threads."""

    def __init__(self, calls: int, tokens: int) -> None:
        self._calls, self._tokens, self._lock = calls, tokens, Lock()

    def take(self) -> bool:
        """One call, if there is one left."""
        with self._lock:
            if self._calls <= 0 or self._tokens <= 0:
                return False
            self._calls -= 1
            return True

    def spend(self, tokens: int) -> None:
        """What an answer cost."""
        with self._lock:
            self._tokens -= tokens


class ModelExtractor:
    """The dictionary's extraction, and beside it what a model found; where the model fails, the dictionary's alone."""

    def __init__(self, checker: Checker, dictionary: DictionaryExtractor, endpoint: Endpoint) -> None:
        self._checker, self._dictionary, self._endpoint = checker, dictionary, endpoint
        self.budget = Budget(endpoint.most_calls, endpoint.most_tokens)

    @cached_property
    def _client(self) -> OpenAI:
        try:
            from openai import OpenAI
        except ImportError:
            hint = "pip install 'medsafe[llm]'"
            raise RequestError([Problem(Place("model"), "R121", "asking a model needs the package `openai`", hint)]) from None
        e = self._endpoint
        return OpenAI(base_url=e.url, api_key=e.key, timeout=e.timeout, max_retries=e.retries)

    @cached_property
    def _prompt(self) -> str:
        return resources.files("safety.edge").joinpath("prompts", "extract.md").read_text(encoding="utf-8")

    def extract(self, text: str) -> Extraction:
        """What the dictionary finds, and what the model quotes beside it. Raises RequestError only where `openai` is missing."""
        found = self._dictionary.extract(text)
        notes: list[str] = []
        for start, end in _parts(text):
            reply = self._ask(text[start:end], notes)
            if reply is not None:
                found = _Grounding(self._checker, self._dictionary, text, start, end, notes).added(found, reply)
        return replace(found, by=f"dictionary+{printable(self._endpoint.model, 60)}", notes=tuple(dict.fromkeys(notes)))

    def _ask(self, text: str, notes: list[str]) -> _Reply | None:
        """The model's reply; None, with a note that tells nothing of the patient, where there is none that can be read."""
        client = self._client
        if not self.budget.take():
            notes.append("the model was not asked: the budget is spent")
            return None
        import openai

        try:
            answer = self._call(client, text)
        except openai.OpenAIError as error:
            notes.append(f"the model did not answer ({type(error).__name__})")
            return None
        except (ValueError, TypeError, AttributeError) as error:  # an answer that is not of the protocol
            notes.append(f"the model's answer cannot be read ({type(error).__name__})")
            return None
        return self._read(answer, notes)

    def _call(self, client: Any, text: str) -> ChatCompletion:
        """One answer; the client tries again, more and more slowly, after a refusal to serve, a failure or a time-out."""
        answer: ChatCompletion = client.chat.completions.create(
            model=self._endpoint.model,
            temperature=0,
            max_tokens=self._endpoint.answer_tokens,
            messages=[
                {"role": "system", "content": self._prompt},
                {"role": "user", "content": json.dumps({"text": text}, ensure_ascii=False)},
            ],
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "extraction", "strict": False, "schema": msgspec.json.schema(_Reply)},
            },
        )
        return answer

    def _read(self, answer: ChatCompletion, notes: list[str]) -> _Reply | None:
        usage = getattr(answer, "usage", None)
        self.budget.spend(int(getattr(usage, "total_tokens", 0) or 0))
        choices = getattr(answer, "choices", None) or []
        message = getattr(choices[0], "message", None) if choices else None
        content = getattr(message, "content", None)
        if getattr(message, "refusal", None) or not content:
            notes.append("the model refused to answer, or said nothing")
            return None
        if getattr(choices[0], "finish_reason", None) == "length":
            notes.append("the model's answer was cut off, so none of it was taken")
            return None
        try:
            return msgspec.json.decode(_bare(str(content)), type=_Reply)
        except msgspec.DecodeError:
            notes.append("the model's answer is not of the form that was asked for, so none of it was taken")
            return None


class _Grounding:
    """One reply held against the text: every quote is looked for, every value is read from its quote."""

    def __init__(
        self, checker: Checker, dictionary: DictionaryExtractor, text: str, start: int, end: int, notes: list[str]
    ) -> None:
        self._checker, self._dictionary = checker, dictionary
        self._text, self._start, self._end, self._notes = text, start, end, notes
        self._aside = dictionary.set_aside(text)

    def added(self, found: Extraction, reply: _Reply) -> Extraction:
        """The dictionary's extraction with what the model adds to it."""
        medications = list(found.medications)
        for said in reply.medications[:_MOST_ITEMS]:
            self._medication(said, medications)
        conditions = [*found.conditions, *self._conditions(reply.conditions[:_MOST_ITEMS], found.conditions)]
        allergies = [*found.allergies, *self._allergies(reply.allergies[:_MOST_ITEMS], found.allergies)]
        results = [*found.results, *self._results(reply.results[:_MOST_ITEMS], found.results)]
        return replace(
            found, medications=tuple(sorted(medications, key=lambda m: (m.span.start, m.context))), conditions=tuple(conditions),
            allergies=tuple(allergies), results=tuple(results),
        )  # fmt: skip

    def _quoted(self, quote: str | None, near: int | None = None) -> Span | None:
        """Where a quote stands in the text, nearest to a place; None where it does not, or stands in words to a machine."""
        if not quote or not quote.strip() or len(quote) > _LONGEST_QUOTE:
            return None
        places = [m.start() for m in re.finditer(re.escape(quote), self._text[self._start : self._end])]
        spots = [self._start + p for p in places if self._is_whole(self._start + p, quote)]
        spots = [p for p in spots if not any(a <= p < b for a, b in self._aside)]
        if not spots:
            return None
        at = spots[0] if near is None else min(spots, key=lambda p: abs(p - near))
        return Span(at, at + len(quote), quote)

    def _is_whole(self, at: int, quote: str) -> bool:
        """Whether it is cut out of no word."""
        before, after = self._text[at - 1 : at], self._text[at + len(quote) : at + len(quote) + 1]
        return not (before.isalnum() and quote[0].isalnum()) and not (after.isalnum() and quote[-1].isalnum())

    def _reject(self, why: str) -> None:
        self._notes.append(f"an item of the model was not taken: {why}")

    # -------------------------------------------------------------- medicines

    def _medication(self, said: _Medication, medications: list[MedicationSaid]) -> None:
        span = self._quoted(said.quote)
        if span is None:
            self._reject("its quote does not stand in the text")
            return
        mine = [n for n, m in enumerate(medications) if any(_overlap(span, s) for s in (m.span, *m.also))]
        if mine:
            for n in mine[:1]:
                medications[n] = self._compared(medications[n], said)
            return
        if (new := self._new(said, span)) is not None:
            medications.append(new)

    def _new(self, said: _Medication, span: Span) -> MedicationSaid | None:
        """A medicine that the dictionary did not find there: marked as the model's, and asked about."""
        read = normalised(self._checker.resolver.read(span.text))
        if read.status == "unrecognised" and self._dictionary.is_everyday(span.text):
            self._reject("it is a word of every day and no medicine that we know")
            return None
        read = replace(read, confirm=True, ask=read.ask or f"Is {printable(span.text, 60)} meant as a medicine?")
        dose, ask = self._dose(said, span, None)
        return MedicationSaid(
            span, read, said.context, "unknown", dose, self._words(said.directions, span), self._words(said.time, span),
            self._words(said.reason, span), ask=ask, by="model",
        )  # fmt: skip

    def _compared(self, own: MedicationSaid, said: _Medication) -> MedicationSaid:
        """The dictionary's item with what the model adds; where the two read it differently, the dictionary's and a question."""
        dose, ask = self._dose(said, own.span, own.dose)
        if said.context != own.context and "mentioned" not in (said.context, own.context):
            name = own.normalised.name or own.span.text
            ask = ask or f"Is {name} {_IN_WORDS[own.context]}, or {_IN_WORDS[said.context]}?"
        elif own.context == "mentioned" and said.context != "mentioned":
            ask = ask or f"Is {own.normalised.name or own.span.text} {_IN_WORDS[said.context]}?"
        return replace(own, dose=own.dose or dose, ask=own.ask or ask)

    def _dose(self, said: _Medication, near: Span, own: Quoted | None) -> tuple[Quoted | None, str]:
        """The dose as its quote reads; a number that is not in it is not believed, a different reading is asked about."""
        span = self._quoted(said.dose, near.start)
        if span is None:
            if said.dose:
                self._reject("the quote of its dose does not stand in the text")
            return own, ""
        read = self._dictionary.dose_in(span.text)
        held = set(self._dictionary.numbers_in(span.text))
        told = set(_NUMBER.findall((said.amount or "").replace(",", "")))
        if not told <= held:
            self._reject("its dose holds a number that its quote does not")
            return own, f"What is the dose? {printable(span.text, 60)} was heard." if own is None else ""
        if not read:
            return own, f"What is the dose? {printable(span.text, 60)} was heard." if own is None else ""
        if own is not None and own.value != read:
            return own, f"Is the dose {own.value}, or {read}?"
        if said.amount and fold(said.amount) != fold(read) and not self._same(said.amount, read):
            return own or Quoted(span, read), f"Is the dose {read}, or {printable(said.amount, 40)}?"
        return own or Quoted(span, read), ""

    def _same(self, one: str, other: str) -> bool:
        units = self._checker.library.units
        a, b = units.parse(one), units.parse(other)
        return a is not None and b is not None and units.compare(a, b) == 0

    def _words(self, quote: str | None, near: Span) -> Quoted | None:
        span = self._quoted(quote, near.start)
        return Quoted(span, fold(span.text)) if span is not None else None

    # -------------------------------------------------------------- the rest

    def _conditions(self, said: Sequence[_Condition], own: Sequence[ConditionSaid]) -> Iterator[ConditionSaid]:
        for one in said:
            span = self._quoted(one.quote)
            known = self._checker.terms.named(fold(one.quote)) if span is not None else None
            if span is None or known is None:
                self._reject("its condition is not quoted, or is none that we know")
            elif not any(c.condition == known for c in own):
                held = self._checker.library.condition.get(known)
                yield ConditionSaid(span, known, held.name if held else one.quote, one.standing, by="model")

    def _allergies(self, said: Sequence[_Allergy], own: Sequence[AllergySaid]) -> Iterator[AllergySaid]:
        for one in said:
            span = self._quoted(one.quote)
            if span is None:
                self._reject("its allergy is not quoted")
            elif not any(_overlap(span, a.span) for a in own):
                read = normalised(self._checker.resolver.read(span.text))
                ask = f"Is there an allergy to {printable(span.text, 60)}?"
                yield AllergySaid(
                    span, read.name or span.text, read.drug, self._words(one.reaction, span), one.denied, True, ask, by="model"
                )

    def _results(self, said: Sequence[_Result], own: Sequence[ResultSaid]) -> Iterator[ResultSaid]:
        for one in said:
            span = self._quoted(one.quote)
            if span is None:
                self._reject("its result is not quoted")
            elif not any(_overlap(span, r.span) for r in own):
                for read in self._dictionary.results_in(span.text):
                    yield replace(read, span=span, ask="Is this a result of the patient?", by="model")


_IN_WORDS: dict[Context, str] = {
    "taking": "taken now", "stopped": "stopped", "missed": "taken, with doses missed", "considering": "only considered",
    "asking": "asked about", "allergic": "what the patient is allergic to", "prescribed": "newly ordered",
    "someone_elses": "somebody else's", "denied": "not taken", "mentioned": "only mentioned",
}  # fmt: skip
assert _IN_WORDS.keys() == set(CONTEXTS)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """The text in parts that are asked about one by one, cut where a line, else a sentence, ends."""
    start = 0
    while start < len(text):
        end = min(len(text), start + _LONGEST_PART)
        if end < len(text):
            cut = max(text.rfind("\n", start, end), text.rfind(". ", start, end))
            end = cut + 1 if cut > start else end
        if text[start:end].strip():
            yield start, end
        start = end


def _bare(content: str) -> str:
    """An answer without the fence that some models put around JSON."""
    found = re.fullmatch(r"\s*```(?:json)?\s*(.*?)\s*```\s*", content, re.S)
    return found[1] if found else content


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
