"""The book of answers: found by words, hero, card, token or rule, and ruled by the engine when shown.

Also the notes on rules, whose examples are ruled the same way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any

from judge.core.errors import fail
from judge.core.folding import folded
from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import LANGS, Lang, Ref
from judge.rules.answers import Answer, Authority, Note, Proof, Texts
from judge.schemas.answers import shipped_answers, shipped_notes, sources, subjects
from judge.schemas.books import newest
from judge.services.dispute.case import Case
from judge.services.rulebook.search import LONGEST_QUESTION

ENOUGH = 0.5  # of what a question asks for must be found, the rarest words counting most
STEM = 4  # letters that two forms of a word have in common
MOST_OFFERED = 5
_THING_KEYS = ("hero", "activate", "announce", "defend", "play", "spend", "upgrade", "resolve", "pay", "feat")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer in one language."""

    id: str
    game: str
    subject: str
    question: str
    says: str
    authority: Authority
    source: str
    rules: tuple[str, ...]
    differing: Mapping[str, str]  # books that rule otherwise, and why
    event: str = ""  # the event whose own answer it is, as in the address

    def as_json(self) -> JsonObject:
        return {
            "id": self.id,
            "game": self.game,
            "subject": self.subject,
            "question": self.question,
            "answer": self.says,
            "authority": self.authority,
            "source": self.source,
            "rules": list(self.rules),
            "differs": dict(self.differing),
        }


def view(answer: Answer, lang: Lang, event: str = "") -> AnswerView:
    named: Texts | None = sources().get(answer.source)
    return AnswerView(
        answer.id,
        answer.proof.game,
        subjects()[answer.subject][lang],
        answer.question[lang],
        answer.says[lang],
        answer.authority,
        named[lang] if named else answer.source,
        answer.rules,
        {edition: departure.says[lang] for edition, departure in answer.proof.differs.items()},
        event,
    )


def get_answer(answer_id: str) -> Answer | None:
    return shipped_answers().get(answer_id)


def ruled(proof: Proof, edition: str | None = None) -> Case:
    """The case of an answer or a note under a book; the newest of its books if none is named."""
    if edition not in proof.editions:
        favourite = newest(proof.game).id
        edition = favourite if favourite in proof.editions else proof.editions[-1]
    return Case(proof.under(edition))


def by_subject(answers: Collection[Answer], lang: Lang) -> list[tuple[str, list[AnswerView]]]:
    """Answers under the names of their subjects, in the order of the booklet."""
    groups: dict[str, list[AnswerView]] = {}
    for answer in answers:
        groups.setdefault(subjects()[answer.subject][lang], []).append(view(answer, lang))
    return list(groups.items())


# -- search -------------------------------------------------------------------------------------------------


def search(words: str, answers: Collection[Answer] | None = None) -> list[Answer]:
    """The answers that a question asks for, the likeliest first. It may be asked in any of the languages."""
    pool = list(shipped_answers().values() if answers is None else answers)
    asked = _stems(words[:LONGEST_QUESTION])
    if not asked:
        return pool
    texts = [_weights(answer) for answer in pool]
    spread = Counter(stem for text in texts for stem in text)
    rarity = {stem: log((len(pool) + 1) / (_spread(stem, spread) + 0.5)) for stem in asked}
    wanted = sum(rarity.values())
    scores = [sum(rarity[stem] * _weight(stem, text) for stem in asked) for text in texts]
    likely = [(score, n) for n, score in enumerate(scores) if score >= ENOUGH * wanted > 0]
    return [pool[n] for _, n in sorted(likely, key=lambda pair: (-pair[0], pair[1]))]


def _stems(text: str) -> list[str]:
    """The words of a text without accents and endings, each once; a rule's id stays whole."""
    ids = re.findall(r"[a-z]+(?:-[a-z0-9]+)*-\d+", folded(text))
    return list(
        dict.fromkeys([*ids, *(word[: max(STEM, len(word) - 2)] for word in _WORD.findall(folded(text)))])
    )


def _spread(stem: str, spread: Mapping[str, int]) -> int:
    return max((count for other, count in spread.items() if _alike(stem, other)), default=0)


def _weight(stem: str, text: Mapping[str, float]) -> float:
    return (
        text[stem]
        if stem in text
        else max((w for other, w in text.items() if _alike(stem, other)), default=0.0)
    )


def _alike(stem: str, other: str) -> bool:
    """Whether two stems may be forms of one word."""
    return stem == other or (
        len(stem) >= STEM and len(other) >= STEM and (stem.startswith(other) or other.startswith(stem))
    )


@cache
def _weights_of(answer_id: str) -> Mapping[str, float]:
    return _text_weights(shipped_answers()[answer_id])


def _weights(answer: Answer) -> Mapping[str, float]:
    return _weights_of(answer.id) if shipped_answers().get(answer.id) is answer else _text_weights(answer)


def _text_weights(answer: Answer) -> dict[str, float]:
    """The stems of an answer: the question counts full, names and rules nearly, its sentence less."""
    parts: list[tuple[float, Sequence[str]]] = [
        (0.8, list(answer.says.values())),
        (0.9, [*names_of_things(answer.proof), *answer.rules]),
        (1.0, list(answer.question.values())),
    ]
    return {stem: weight for weight, texts in parts for text in texts for stem in _stems(text)}


# -- what an answer is about --------------------------------------------------------------------------------


def things_in(table: TableFile) -> set[str]:
    """The ids of heroes, abilities, cards, tokens, feats and faces that a table names."""
    things: set[str] = set()
    for player in table.get("players") or ():
        things |= set(player.get("statuses") or ()) | set(player.get("companions") or ())
        things |= {player["hero"]} if player.get("hero") else set()
    for event in _events(table.get("events") or ()):
        things |= {event[key] for key in _THING_KEYS if isinstance(event.get(key), str)}
    return things


def _events(events: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for event in events:
        if isinstance(event, dict):
            yield from _events(event["collide"]) if "collide" in event else (event,)


def names_of_things(proof: Proof) -> set[str]:
    """The names of those things in every language."""
    case, kinds = ruled(proof), ("hero", "ability", "card", "status", "companion", "feat", "face")
    books = {lang: case.phrases(lang) for lang in LANGS}
    things = things_in(proof.table)
    return {books[lang].word(Ref(kind, thing)) for thing in things for kind in kinds for lang in LANGS}


def touching(table: TableFile, answers: Collection[Answer] | None = None) -> list[Answer]:
    """The answers about the heroes, cards and tokens on a table: those with most in common first."""
    present = things_in(table)
    pool = shipped_answers().values() if answers is None else answers
    shared = [(len(present & things_in(a.proof.table)), a) for a in pool if a.proof.game == table.get("game")]
    near = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return [answer for _, answer in near[:MOST_OFFERED]]


def resting_on(rule_id: str) -> list[Answer]:
    """The answers that rest on a rule."""
    return [answer for answer in shipped_answers().values() if rule_id in answer.rules]


def find_note(rule_id: str) -> Note | None:
    return shipped_notes().get(rule_id)


def find_answers(words: str) -> list[Answer]:
    """All answers, or those that the words find; finding none is an error."""
    matching = search(words)
    if not matching:
        raise fail("", "no_such_answer", wanted=words)
    return matching


def answers_file(words: str, lang: Lang) -> list[JsonObject]:
    """The same for the command's --json and the API."""
    return [view(answer, lang).as_json() for answer in find_answers(words)]
