"""Gains, losses and payments of resources: caps, the Hammer, glory past 100 (DF-RES, DF-CARD-01 to 05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.dice_forge.state.catalog import RESOURCES, Amounts, Catalog
from judge.rules.dice_forge.state.desk import Desk, Picks, amounts_in_words
from judge.rules.dice_forge.state.model import Hammer, Player

CAP_RULES = {"G": "DF-RES-01", "S": "DF-RES-02", "M": "DF-RES-03"}


def caps_with(feats: Sequence[str], catalog: Catalog) -> dict[str, int]:
    """Base caps plus what each chest adds (DF-RES-05)."""
    caps = dict(catalog.caps)
    for feat in feats:
        card = catalog.feats[feat]
        if card.kind == "raise_caps":
            for letter, more in card.effect["caps"].items():
                caps[letter] += more
    return caps


def can_pay(player: Player, cost: Amounts) -> bool:
    have = player.have
    return not [letter for letter, n in cost.items() if have[letter] < n]


def pay(player: Player, cost: Amounts) -> None:
    for letter, n in cost.items():
        player.have[letter] -= n


def gain(
    desk: Desk,
    player: Player,
    amounts: Amounts,
    picks: Picks | None,
    rules: tuple[str, ...],
    convert: Mapping[str, int] | None = None,
) -> None:
    """Settle one gain by itself (DF-BLESS-07). `convert` is the glory per unit that a card offers instead."""
    desk.say("df_gains", rules, sum(amounts.values()), who=player.id, what=amounts_in_words(amounts))
    for letter, n in amounts.items():
        if letter == "G" and picks is not None and picks.hammer and player is picks.owner:
            n -= _send_to_hammer(desk, player, n, picks)
        if convert is not None and letter in convert and picks is not None:
            n -= _turn_down(desk, player, letter, n, picks, convert[letter], rules)
        if letter == "V":
            add_glory(desk, player, n)
        elif n:
            _put(desk, player, letter, n)


def _put(desk: Desk, player: Player, letter: str, n: int) -> None:
    have, cap = player.have[letter], player.caps[letter]
    player.have[letter] = min(have + n, cap)
    over = have + n - cap
    if over > 0:
        resource = RESOURCES[letter]
        lost = desk.state.lost.setdefault(player.id, {})
        lost[resource] = lost.get(resource, 0) + over
        desk.state.slip(player.id, "cap-ignored", letter, over)
        rules: tuple[str, ...] = (CAP_RULES[letter], "DF-RES-04")
        if cap > desk.catalog.caps[letter]:
            rules += ("DF-RES-05",)
        desk.say("df_over_cap", rules, over, who=player.id, cap=cap, lost=amounts_in_words({letter: over})[0])


def add_glory(desk: Desk, player: Player, n: int) -> None:
    """Add glory: at 100 the player takes a token and the markers start again from 0 (DF-RES-07)."""
    tokens, player.have["V"] = divmod(player.have["V"] + n, desk.catalog.glory_token)
    if not tokens:
        return
    player.hundreds += tokens
    if desk.adopted("DF-AMB-11") == "b":
        player.have.update(dict.fromkeys(CAP_RULES, 0))
    shown, rules = player.have["V"], ("DF-RES-06", "DF-RES-07", "DF-AMB-11")
    desk.say("df_hundred", rules, shown, who=player.id, n=shown, tokens=tokens)


def _turn_down(
    desk: Desk, player: Player, letter: str, n: int, picks: Picks, rate: int, rules: tuple[str, ...]
) -> int:
    """How much of a gain becomes glory instead (Sentinel, Cyclops)."""
    wish = picks.choices.convert
    if isinstance(wish, Mapping):
        turned = min(n, wish.get(letter, 0) - picks.converted.get(letter, 0))
    else:
        turned = n if wish else 0
    picks.converted[letter] = picks.converted.get(letter, 0) + turned
    if 0 < turned < n and not desk.catalog.may_split(letter):
        rules += ("DF-AMB-14",)
        if desk.adopted("DF-AMB-14") == "b":
            desk.refuse(
                "df_all_or_nothing", "DF-AMB-14", who=player.id, what=amounts_in_words({letter: n})[0]
            )
    if turned:
        down, glory = amounts_in_words({letter: turned})[0], amounts_in_words({"V": turned * rate})[0]
        desk.say("df_turned_down", rules, turned * rate, who=player.id, what=down, glory=glory)
        add_glory(desk, player, turned * rate)
    return turned


def _send_to_hammer(desk: Desk, player: Player, gained: int, picks: Picks) -> int:
    """How much of the gained gold goes to the player's Hammer; without one, nothing does."""
    hammer = player.hammer
    if hammer is None or hammer.retired:
        return 0
    return _work_hammer(desk, player, hammer, gained, picks)


def _work_hammer(desk: Desk, player: Player, hammer: Hammer, gained: int, picks: Picks) -> int:
    """How much of the gold goes to the track; gold beyond its end stays gold (DF-CARD-04)."""
    sent = min(picks.hammer, gained)
    picks.hammer -= sent
    desk.say("df_hammer_sent", ("DF-CARD-01", "DF-CARD-03"), sent, who=player.id, n=sent)
    rest = sent
    while rest and not hammer.retired:
        rest = _advance_hammer(desk, player, hammer, rest)
    desk.state.slip(player.id, "hammer-gold-kept", "G", sent - rest)
    desk.state.slip(player.id, "hammer-gold-forgotten", "hammer", rest - sent)
    if not hammer.retired:
        rules = ("DF-CARD-01", "DF-CARD-02")
        desk.say("df_hammer_at", rules, who=player.id, lap=hammer.lap, space=hammer.position)
    return sent - rest


def _advance_hammer(desk: Desk, player: Player, hammer: Hammer, gold: int) -> int:
    """Move as far as the lap goes. Returns the gold that is left."""
    moved = min(gold, desk.catalog.hammer_spaces - hammer.position)
    hammer.position += moved
    if hammer.position == desk.catalog.hammer_spaces:
        _finish_lap(desk, player, hammer)
        if gold > moved:
            desk.say("df_hammer_runs_on", ("DF-CARD-04",), gold - moved, n=gold - moved)
    return gold - moved


def _finish_lap(desk: Desk, player: Player, hammer: Hammer) -> None:
    reward = desk.catalog.hammer_rewards[hammer.lap - 1]
    rules = ("DF-CARD-02",)
    desk.say("df_hammer_lap", rules, reward["V"], who=player.id, lap=hammer.lap, n=reward["V"])
    desk.state.slip(player.id, "hammer-lap-twice", "V", reward["V"])
    add_glory(desk, player, reward["V"])
    hammer.position = 0
    if hammer.lap < len(desk.catalog.hammer_rewards):
        hammer.lap += 1
        return
    hammer.finished += 1
    hammer.lap = 1
    # the next Hammer card takes over; only one is in use at a time
    owned = sum(desk.catalog.feats[feat].kind == "hammer" for feat in player.feats)
    hammer.retired = hammer.finished >= owned
    if hammer.retired:
        desk.say("df_hammer_retired", ("DF-CARD-02",), who=player.id)
    else:
        desk.say("df_hammer_next", ("DF-CARD-05",), who=player.id)


def lose(desk: Desk, player: Player, amounts: Amounts, rules: tuple[str, ...]) -> None:
    """Lose resources, never below 0; the surplus is ignored (DF-RES-09)."""
    for letter, n in amounts.items():
        taken = _glory_taken(desk, player, n) if letter == "V" else min(n, player.have[letter])
        player.have[letter] -= taken
        cited = (*rules, "DF-RES-09") if taken < n else rules
        if letter == "V" and "DF-AMB-04" in desk.points:
            cited += ("DF-AMB-04",)
        if taken:
            desk.say("df_loses", cited, taken, who=player.id, what=amounts_in_words({letter: taken})[0])
        if taken < n:
            left = amounts_in_words({letter: n - taken})[0]
            desk.say("df_no_more_to_lose", cited, taken, who=player.id, what=left)


def _glory_taken(desk: Desk, player: Player, n: int) -> int:
    """The glory lost. An open point: the markers show less than the loss, but there is a 100 token."""
    shown = player.have["V"]
    if shown >= n or not player.hundreds:
        return min(n, shown)
    if desk.reading("DF-AMB-04") == "b":
        return shown
    player.hundreds -= 1
    player.have["V"] += desk.catalog.glory_token
    return n
