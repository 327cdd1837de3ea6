"""The form "the table shows something else": its fields for each player, and reading what was entered.

An empty field counts as right. A list of tokens or feats counts as complete, so those that nobody entered are
filled in as they should be.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import Lang
from judge.rules.dice_forge.state.written import PlayerReport as ForgePlayer
from judge.rules.dice_throne.state.report import PlayerReport as ThronePlayer
from judge.schemas.dice_forge.catalog import catalog
from judge.schemas.shape import is_digits, whole
from judge.services.dispute.case import Case
from judge.services.dispute.find_by_name import find_status
from judge.services.dispute.follow import Board, Moment
from judge.web.dispute.table.throne_view import likely_tokens
from judge.web.dispute.words import forge_name, status_name
from judge.web.frame.forms import whole_number

GROUPS = ("statuses", "companions", "tokens")
ISLANDS = ("origin", *range(1, 8))
Args = MultiDict[str, str]


@dataclass(frozen=True, slots=True)
class Number:
    """A field for a count: its name in the form, what it is called, and what the page shows now."""

    name: str
    label: str
    now: int


@dataclass(frozen=True, slots=True)
class Part:
    """The fields of one player."""

    who: str
    n: int
    dials: list[str]
    tokens: list[Number]
    feats: dict[str, str] = field(default_factory=dict)  # held
    dice: list[dict[str, str]] = field(default_factory=list)  # the faces of each die, by name


def parts(case: Case, moment: Moment, lang: Lang) -> list[Part]:
    return [_part(case, board, n, lang) for n, board in enumerate(moment.boards, start=1)]


def _part(case: Case, board: Board, n: int, lang: Lang) -> Part:
    state, dials = board.state, [dial.what for dial in board.dials]
    if isinstance(state, ThronePlayer):
        return Part(board.who, n, dials, _throne_tokens(case.data, state, n, lang))
    if not isinstance(state, ForgePlayer):
        return Part(board.who, n, dials, [])
    tokens = [Number(f"tokens_{n}_{t}", _face(t, lang), state.tokens.get(t, 0)) for t in catalog().tokens]
    feats = {feat: _face(feat, lang) for feat in state.feats}
    dice = [{face: _face(face, lang) for face in die} for die in state.dice]
    return Part(board.who, n, list(case.game.dials), tokens, feats, dice)


def _throne_tokens(table: TableFile, state: ThronePlayer, n: int, lang: Lang) -> list[Number]:
    held = state.statuses
    kinds = {**likely_tokens(table, n - 1, lang), **{token: status_name(token, lang) for token in held}}
    fields = [Number(f"statuses_{n}_{token}", name, held.get(token, 0)) for token, name in kinds.items()]
    companions = state.companions or {}
    fields += [Number(f"companions_{n}_{c}", status_name(c, lang), count) for c, count in companions.items()]
    return fields


def _face(thing: str, lang: Lang) -> str:
    return forge_name(thing, lang) or thing


# -- what was entered ---------------------------------------------------------------------------------------


def shown(case: Case, moment: Moment, args: Args) -> JsonObject | None:
    """What the table shows according to the form: `gold_1=5` is the gold of the first player,
    `statuses_2_protect=0` says that the second has no Protect. None where nothing was entered."""
    if "shows" not in args:
        return None
    should = {name: state.as_json() for name, state in case.cut(moment.after).ruling.players.items()}
    players: dict[str, JsonObject] = {}
    for n, board in enumerate(moment.boards, start=1):
        state: JsonObject = {**_dials(case, args, n), **_tokens(case.data, should[board.who], args, n)}
        if not case.game.has_heroes:
            state |= _forge(should[board.who], args, n)
        if state:
            players[board.who] = state
    return {"players": players} if players else None


def _dials(case: Case, args: Args, n: int) -> dict[str, int]:
    values = {dial: args.get(f"{dial}_{n}", type=whole) for dial in case.game.dials}
    return {dial: value for dial, value in values.items() if value is not None}


def _tokens(table: TableFile, right: JsonObject, args: Args, n: int) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for key, value in args.items():
        group, _, token = key.partition(f"_{n}_")
        if group in GROUPS and token and value.strip():
            counts.setdefault(group, {})[token] = whole_number(args, key)
    other = args.get(f"other_{n}", "").strip()
    if other:
        token = find_status(other, table.get("catalogue") or {})
        count = args.get(f"others_{n}", "").strip()
        counts.setdefault("statuses", {})[token] = whole_number(args, f"others_{n}") if count else 1
    return {group: {**(right.get(group) or {}), **entered} for group, entered in counts.items()}


def _forge(right: JsonObject, args: Args, n: int) -> JsonObject:
    state: JsonObject = {}
    island = args.get(f"island_{n}", "")
    if island:
        state["island"] = int(island) if is_digits(island) else island
    more, less = args.get(f"more_{n}", ""), args.get(f"less_{n}", "")
    if more or less:
        feats = list(right.get("feats") or [])
        if less in feats:
            feats.remove(less)
        state["feats"] = [*feats, more] if more else feats
    place, face = args.get(f"place_{n}", ""), args.get(f"face_{n}", "")
    if place and face:
        state["dice"] = _with_face(right["dice"], place, face)
    return state


def _with_face(dice: list[list[str]], place: str, face: str) -> list[list[str]]:
    """The dice with another face in one place: "1 G1" is a gold face of the first die."""
    number, _, old = place.partition(" ")
    changed = [list(die) for die in dice]
    die = changed[0 if number == "1" else 1]
    if old in die:
        die[die.index(old)] = face
    return changed
