"""The table of effect words: one record per word, from which reader, writer, plain words and engine derive.

A new word is one registration on the function that carries it out:

    @effect_word("shuffle", Shape.NUMBER, options=("to",), label="Shuffle {n:# card|# cards}")
    def shuffle(game: Game, context: Context, effect: Effect) -> None: ...

The translations hold a word's sentence under `fx_<word>`; `label` is for a word that they lack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from judge.rules.catalog import Effect
from judge.rules.dice_throne.state.context import RECEIVERS

if TYPE_CHECKING:
    from judge.rules.dice_throne.state.context import Context
    from judge.rules.dice_throne.state.model import Game

    Function = Callable[[Game, Context, Effect], None]


class Shape(Enum):
    """The kind of value a word has in a file."""

    NUMBER = "number"  # or a named amount of the word; nothing where no source gives it
    FRACTION = "fraction"
    TRUTH = "truth"
    STATUS = "status"  # or a companion; `count` says how many
    LIMIT = "limit"  # a status; `by` says by how many its stack limit rises
    PHASE = "phase"
    SIDE = "side"  # of the hero's board
    EFFECTS = "effects"
    OPTIONS = "options"  # lists of effects, of which one is chosen
    CONDITION = "condition"  # and `effects`: what happens if it is met
    ROLL = "roll"  # how many dice; `on` and `each` say what their faces do
    DUEL = "duel"  # what the higher die does
    DIE_CHANGE = "die change"


# The keys beside its own word that a shape is written with.
SHAPE_KEYS: Mapping[Shape, tuple[str, ...]] = {
    Shape.LIMIT: ("by",),
    Shape.CONDITION: ("effects",),
    Shape.ROLL: ("on", "each", "sum"),  # `sum: true` only tells the reader that the total counts
}

# The further keys that words may take, and the field of an effect that holds each.
OPTIONS: Mapping[str, str] = {
    "type": "type",
    "to": "to",
    "from": "source",
    "who": "who",
    "count": "count",
    "up_to": "up_to",
    "per": "per",
    "fraction": "fraction",
    "max": "limit",
    "isolated": "isolated",
    "unpreventable": "unpreventable",
    "best_of": "best_of",
    "random": "random",
    "instead": "instead",
}


class Trait(Enum):
    """Further properties of a word, for code that inspects texts without carrying them out."""

    DAMAGE = "deals damage"
    INCREASE = "increases the damage of an Attack"
    DEFENSIVE = "answers damage"
    REMOVAL = "takes a token from its holder"
    NEEDS_TARGET = "needs a target unless it names somebody else"
    AGAINST_TARGET = "takes effect on the target at once (DT-DRP-02)"
    BETWEEN = "can come between the parts of a text (J-07)"
    COUNTED = "a number says it all: a judge may enter that number in place of the dice"
    OPTIONAL = "dice or a choice decide whether it happens"
    BY_DICE = "dice that the text rolls decide it"
    ONE_DIE = "rolls one die more"
    SEQUEL = "says when, not what"
    DIE_CHANGE = "changes dice that lie there"
    COMPANION = "acts on a companion"


TARGETS = frozenset(RECEIVERS)  # the values of `to` and `from` besides a player's id
_WHOM = frozenset(("to", "from", "who"))


@dataclass(slots=True)
class EffectWord:
    """One effect word: how it is written, what it does, and its properties."""

    name: str
    shape: Shape
    run: Function
    options: frozenset[str]  # further keys that the word takes
    targets: frozenset[str]  # whom it can reach, where it takes `to`, `from` or `who`
    traits: frozenset[Trait]
    rules: tuple[str, ...]  # on how such a text is read
    amounts: Mapping[str, str]  # named amounts, and the key that says each
    unknown: str  # the key for an amount that no source gives
    becomes: Mapping[str, str]  # values that mean another word, once
    phases: tuple[str, ...]  # that a word for a phase can act on
    label: str  # its sentence if no language has one


WORDS: dict[str, EffectWord] = {}
_HAVING: dict[Trait, set[str]] = {trait: set() for trait in Trait}


def words_that(trait: Trait) -> Set[str]:
    """The words that have a trait; a word registered later joins them."""
    return _HAVING[trait]


def effect_word(
    name: str,
    shape: Shape,
    *,
    options: Iterable[str] = (),
    targets: Iterable[str] = TARGETS,
    traits: Iterable[Trait] = (),
    rules: tuple[str, ...] = (),
    amounts: Mapping[str, str] | None = None,
    unknown: str = "fx_unknown",
    becomes: Mapping[str, str] | None = None,
    phases: tuple[str, ...] = (),
    label: str = "",
) -> Callable[[Function], Function]:
    """Decorator: register the function that carries out an effect word, with the word's properties."""

    def register(run: Function) -> Function:
        keys = frozenset((*options, *SHAPE_KEYS.get(shape, ())))
        reached = frozenset(targets) if keys & _WHOM else frozenset()
        WORDS[name] = EffectWord(
            name, shape, run, keys, reached, frozenset(traits), rules,
            amounts or {}, unknown, becomes or {}, phases, label,
        )  # fmt: skip
        for trait in traits:
            _HAVING[trait].add(name)
        return run

    return register


def forget(name: str) -> None:
    """Remove a word from the table."""
    for trait in WORDS.pop(name).traits:
        _HAVING[trait].discard(name)
