"""One record per effect word: whatever is registered can be read, written back and said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from judge.core.errors import InputError
from judge.core.messages import LANGS
from judge.rules.catalog import WINDOWS, Catalog, Effect, flat
from judge.rules.dice_throne.effects.conditions import CONDITIONS, Wants
from judge.rules.dice_throne.effects.numbers import COUNTS
from judge.rules.dice_throne.effects.vocabulary import OPTIONS, WORDS, Shape, Trait, words_that
from judge.schemas.dice_throne.catalog import read_status
from judge.schemas.dice_throne.effects import EffectReader, read_effect
from judge.schemas.dice_throne.shipped import (
    hero_ids,
    shipped_cards,
    shipped_hero,
    shipped_statuses,
)
from judge.schemas.fixtures import sentences
from judge.services.dispute.dice_throne.effect_text import as_file
from judge.services.rulebook.effect_words import EffectWords
from judge.web.dispute.words import COUNTED

INNER = [{"deal": 2, "type": "pure"}, {"gain": "protect", "count": 2}]
VALUES: dict[Shape, list[dict[str, Any]]] = {
    Shape.NUMBER: [{"": 3}, {"": 0}, {"": None}],
    Shape.FRACTION: [{"": "1/2"}, {"": "2/3"}],
    Shape.TRUTH: [{"": True}],
    Shape.STATUS: [{"": "protect"}, {"": "poison"}],
    Shape.LIMIT: [{"": "protect", "by": 2}],
    Shape.PHASE: [{"": "offensive-roll"}],
    Shape.SIDE: [{"": "night"}],
    Shape.EFFECTS: [{"": INNER}, {"": []}],
    Shape.OPTIONS: [{"": [INNER, [{"heal": 1, "per": {"symbol": "sword"}}]]}],
    Shape.CONDITION: [
        {"": {"symbols": {"sword": 2}}, "effects": INNER},
        {"": {"sum_at_least": 14}, "effects": INNER},
        {"": {"none_removed": None}, "effects": []},
    ],
    Shape.ROLL: [{"": 2, "on": {"1-2": INNER, "other": []}, "each": {"sword": INNER}}],
    Shape.DUEL: [{"": {"if_higher": INNER, "otherwise": []}}],
    Shape.DIE_CHANGE: [
        {"": {"count": 2, "whose": "own", "to": 6}},
        {"": {"count": 1, "whose": "any", "to": "any"}},
    ],
}
VALUES_OF_OPTIONS: dict[str, list[Any]] = {
    "per": [{kind: "poison"} for kind in COUNTS], "max": [5], "type": ["pure"], "isolated": [True],
    "random": [True], "instead": [True], "count": [2, "max"], "up_to": [1, "any"], "fraction": ["1/2"],
    "unpreventable": [True], "best_of": [2],
}  # fmt: skip
WHOM = ("to", "from", "who")
VALUES_OF_CONDITIONS: dict[Wants, list[Any]] = {
    Wants.NUMBER: [3, None],
    Wants.TRUTH: [True, False, None],
    Wants.NAME: ["protect"],
    Wants.SYMBOL: ["sword"],
    Wants.SYMBOLS: [{"sword": 2, "helmet": 1}],
    Wants.COUNTS: [{"poison": 2}],
    Wants.STRAIGHT: ["small", "large"],
    Wants.WINDOW: list(WINDOWS),
    Wants.PHASES: ["upkeep", ["main-1", "main-2"]],
    Wants.CONDITION: [{"holds": "protect"}],
}


def entries(word: str) -> Iterator[dict[str, Any]]:
    """The word in every form its shape has, with each option it takes and with each of its named amounts."""
    record = WORDS[word]
    for value in VALUES[record.shape]:
        plain = {key or word: part for key, part in value.items()}
        yield plain
        for option in sorted(record.options & OPTIONS.keys() - plain.keys()):
            for item in sorted(record.targets) if option in WHOM else VALUES_OF_OPTIONS[option]:
                yield {**plain, option: item}
    for amount in (*record.amounts, *record.becomes):
        yield {word: amount}


def shipped_effects() -> Iterator[Effect]:
    heroes = [shipped_hero(name) for name in hero_ids()]
    things = [
        *shipped_cards().values(),
        *(t for h in heroes for t in (*h.abilities.values(), *h.cards.values())),
    ]
    for thing in things:
        for text in (thing.effects, *thing.tier_effects):
            yield from flat(text)
    for status in shipped_statuses().values():
        yield from flat((*(status.effects or ()), *status.explosion))
    for companion in (each for hero in heroes for each in hero.companions.values()):
        yield from flat((*(companion.effects or ()), *(e for s in companion.stages for e in s.effects or ())))


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_the_same_when_it_is_written_and_read_again(word):
    for entry in entries(word):
        effect = read_effect(entry, "")

        assert read_effect(json.loads(json.dumps(as_file(effect))), "") == effect, entry


def test_every_printed_effect_is_the_same_when_it_is_written_and_read_again():
    printed = list(shipped_effects())

    assert len(printed) > 400
    assert [one for one in printed if read_effect(as_file(one), "") != one] == []


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_said_in_three_languages(word):
    for lang in LANGS:
        speaker = EffectWords(lang, Catalog(statuses=shipped_statuses()))
        for entry in entries(word):
            says = str(speaker.line(read_effect(entry, "")))
            assert says
            assert not set("{_") & set(says)
        assert f"fx_{word}" in sentences(lang)


@pytest.mark.parametrize("kind", CONDITIONS)
def test_every_condition_is_said_in_three_languages(kind):
    for value in VALUES_OF_CONDITIONS[CONDITIONS[kind].wants]:
        effect = read_effect({"if": {kind: value}, "effects": INNER}, "")
        for lang in LANGS:
            says = EffectWords(lang, Catalog()).line(effect).says
            assert says
            assert not set("{_") & set(says)


@pytest.mark.parametrize("kind", CONDITIONS)
def test_every_condition_is_the_same_when_it_is_written_and_read_again(kind):
    for value in VALUES_OF_CONDITIONS[CONDITIONS[kind].wants]:
        effect = read_effect({"if": {kind: value}, "effects": INNER}, "")

        assert read_effect(json.loads(json.dumps(as_file(effect))), "") == effect


def faults(effect: dict[str, Any], players: tuple[str, ...] = ()) -> list[str]:
    try:
        EffectReader(players).effect(effect, "effects[1]")
    except InputError as error:
        return [problem.path for problem in error.problems]
    return []


@pytest.mark.parametrize("word", WORDS)
def test_an_option_that_a_word_does_not_have_is_refused_by_its_place(word):
    plain = {key or word: part for key, part in VALUES[WORDS[word].shape][0].items()}
    strange = sorted(OPTIONS.keys() - WORDS[word].options - plain.keys())

    assert strange
    for option in strange:
        item = "self" if option in WHOM else VALUES_OF_OPTIONS[option][0]
        assert faults({**plain, option: item}) == [f"effects[1].{option}"], option


@pytest.mark.parametrize("word", [word for word in WORDS if WORDS[word].targets])
def test_a_receiver_that_nobody_is_is_refused_by_its_place(word):
    plain = {key or word: part for key, part in VALUES[WORDS[word].shape][0].items()}
    for option in sorted(WORDS[word].options & set(WHOM)):
        assert faults({**plain, option: "selff"}) == [f"effects[1].{option}"]
        assert faults({**plain, option: "Ben"}, ("Ann", "Ben")) == []


def test_a_fault_deep_inside_a_text_is_refused_by_its_place():
    text = {"may": [{"choose": [[{"heal": 1}], [{"roll": 1, "on": {"6": [{"deal": 2, "to": "nonsense"}]}}]]}]}

    assert faults(text) == ["effects[1].may[1].choose[2][1].on.6[1].to"]


def test_a_remark_may_stand_beside_any_word():
    assert faults({"heal": 1, "note": "printed in red"}) == []


def test_a_word_that_nobody_registered_is_refused_by_name():
    with pytest.raises(InputError) as refused:
        read_effect({"juggle": 3}, "effects[1]")

    assert [(p.path, p.message.key) for p in refused.value.problems] == [
        ("effects[1].juggle", "unknown_effect")
    ]


def test_every_number_the_desk_asks_for_has_a_heading():
    assert list(COUNTED) == [word for word in WORDS if word in words_that(Trait.COUNTED)]


def test_the_uses_of_a_token_are_said_in_the_order_of_its_sheet():
    uses = [
        {"price": 2, "when": "main", "per_turn": 1, "effects": [{"draw": 1}]},
        {"price": {"cp": 1}, "aged": True, "if": {"own_attack": True}, "effects": [{"add": 3}]},
    ]
    power = read_status({"id": "power", "names": {"en": "Power"}, "uses": uses}, "")
    for lang in LANGS:
        lines = EffectWords(lang, Catalog(statuses={"power": power})).does(power)

        assert [line.says[:2] for line in lines] == ["1.", "2."]
        assert "Power ×2" in lines[0].says
        assert not set("{_") & set("".join(map(str, lines)))
