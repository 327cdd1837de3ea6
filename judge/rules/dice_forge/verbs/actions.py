"""The active player's actions in steps 2 to 4: reinforcements, offerings, feats, and when each is allowed."""

from __future__ import annotations

from judge.rules.dice_forge.faces.reserves import add_glory, can_pay, pay
from judge.rules.dice_forge.state.catalog import Amounts, Feat
from judge.rules.dice_forge.state.desk import Desk, Picks, amounts_in_words, feat_ref
from judge.rules.dice_forge.state.model import ORIGIN, Due, Player, unused_reinforcements
from judge.rules.dice_forge.state.table import Event
from judge.rules.dice_forge.verbs.blessings import drop_unrolled, glory_of, receive, slip_forgotten
from judge.rules.dice_forge.verbs.feats import OTHERS_ROLL, TAKE, USE
from judge.rules.dice_forge.verbs.forging import check_offering, make_offering


def reinforce(desk: Desk, event: Event) -> None:
    state, player = desk.state, desk.state.players[event.by]
    feat = desk.catalog.feats[event.value]
    if player.id != state.active:
        desk.refuse("df_not_active", "DF-REINF-03", who=player.id, active=state.active)
    elif state.step != 2:
        reopened = ("DF-EXTRA-05",) if state.step == 4 else ()
        desk.refuse("df_only_in_step_2", "DF-REINF-03", "DF-TURN-03", *reopened, step=state.step)
    _check_card(desk, player, feat)
    if desk.refusals:
        return
    drop_unrolled(desk, player.id)
    state.close_roll(player.id)
    rules = ["DF-REINF-01", *feat.rules]
    if player.feats.count(feat.id) > 1:
        rules.append("DF-REINF-02")
    if state.used:
        rules.append("DF-PRIO-02")
    desk.say("df_reinforces", rules, who=player.id, feat=feat_ref(feat.id))
    state.used.append(feat.id)
    state.last_feat = feat.id
    USE[feat.kind](desk, player, feat, event)


def _check_card(desk: Desk, player: Player, feat: Feat) -> None:
    card = feat_ref(feat.id)
    if not feat.is_reinforcement:
        desk.refuse("df_not_a_reinforcement", "DF-REINF-01", feat=card)
    elif feat.id not in player.feats:
        desk.refuse("df_card_not_owned", "DF-REINF-01", who=player.id, feat=card)
    elif player.id == desk.state.active and feat.id not in unused_reinforcements(
        desk.state, desk.catalog.feats
    ):
        desk.refuse("df_used_already", "DF-REINF-01", "DF-REINF-02", feat=card)
    cost = feat.effect.get("pay", {})
    if not can_pay(player, cost):
        desk.refuse(
            "df_cannot_pay", "DF-REINF-04", "DF-RES-08", *feat.rules, who=player.id,
            cost=amounts_in_words(cost), has=amounts_in_words({k: player.have[k] for k in cost}),
        )  # fmt: skip


def _check_turn(desk: Desk, event: Event) -> None:
    """Check whose action it is and whether one is left: one in step 3, a paid one in step 4."""
    state = desk.state
    if event.by != state.active:
        rule = "DF-EXTRA-01" if event.extra else "DF-ACT-01"
        rules = (rule, "DF-TURN-01", "DF-ROUND-01", "DF-TERM-01")
        desk.refuse("df_not_active", *rules, who=event.by, active=state.active)
    elif event.extra:
        if state.extra_taken:
            desk.refuse("df_extra_taken", "DF-EXTRA-01", "DF-EXTRA-05")
        elif not state.acted and desk.rulings.get("DF-AMB-08") == "b":
            desk.point("DF-AMB-08")
            desk.refuse("df_nothing_before_the_extra", "DF-AMB-08", "DF-EXTRA-01")
    elif state.step == 4:
        desk.refuse("df_step_3_over", "DF-TURN-03", "DF-ACT-01", "DF-EXTRA-01")
    elif state.acted:
        desk.refuse("df_acted_already", "DF-ACT-01", "DF-EXTRA-01")


def _check_cost(desk: Desk, player: Player, cost: Amounts, extra: bool, rules: tuple[str, ...]) -> None:
    """Check the price of the action, plus 2 sun if it is the extra one."""
    due = dict(cost)
    if extra:
        alone = () if can_pay(player, desk.catalog.extra_cost) else ("DF-EXTRA-01",)
        rules = (*alone, "DF-EXTRA-02", "DF-RES-08", *rules)
        for letter, n in desk.catalog.extra_cost.items():
            due[letter] = due.get(letter, 0) + n
    if not can_pay(player, due):
        has = amounts_in_words({letter: player.have[letter] for letter in due})
        desk.refuse("df_cannot_pay", *rules, who=player.id, cost=amounts_in_words(due), has=has)


def _begin_action(desk: Desk, player: Player, extra: bool) -> None:
    state = desk.state
    drop_unrolled(desk)
    state.close_roll(player.id)
    if not extra:
        state.acted = True
        return
    rules = ["DF-EXTRA-01", "DF-EXTRA-02", "DF-EXTRA-03", "DF-EXTRA-04"]
    if not state.acted:
        desk.point("DF-AMB-08")
        rules += ["DF-AMB-08", "DF-TURN-02"]
    state.step, state.extra_taken = 4, True
    pay(player, desk.catalog.extra_cost)
    for letter, n in desk.catalog.extra_cost.items():
        state.slip(player.id, "extra-cost-forgotten", letter, n)
    desk.say("df_pays_extra", rules, who=player.id, cost=amounts_in_words(desk.catalog.extra_cost))


def offer(desk: Desk, event: Event) -> None:
    player = desk.state.players[event.by]
    _check_turn(desk, event)
    total, places = check_offering(desk, player, event.value)
    _check_cost(desk, player, {}, event.extra, ())
    if desk.refusals:
        return
    _begin_action(desk, player, event.extra)
    make_offering(desk, player, places, total)


def feat(desk: Desk, event: Event) -> None:
    player, card = desk.state.players[event.by], desk.catalog.feats[event.value]
    _check_turn(desk, event)
    _check_pile(desk, card)
    _check_cost(desk, player, card.cost, event.extra, ("DF-FEAT-01", "DF-FEAT-11", "DF-RES-08"))
    ousted = desk.state.on_island(card.island, player.id)
    _check_oust(desk, event, ousted)
    if event.rolls and card.kind not in OTHERS_ROLL:
        desk.refuse("df_nobody_rolls", "DF-BLESS-03", *card.rules, feat=feat_ref(card.id))
    if desk.refusals:
        return
    _begin_action(desk, player, event.extra)
    picks = Picks(event.choices, player)
    pay(player, card.cost)
    desk.say(
        "df_performs", _performing_rules(desk, player, card), who=player.id, feat=feat_ref(card.id),
        cost=amounts_in_words(card.cost),
    )  # fmt: skip
    desk.state.slip(player.id, "move-forgotten", "island", player.island - card.island)
    player.island = card.island
    if ousted is not None:
        _oust(desk, player, ousted, event, picks)
    _take_card(desk, player, card, event, picks)
    picks.refuse_leftovers(desk)


def _performing_rules(desk: Desk, player: Player, card: Feat) -> list[str]:
    rules = ["DF-FEAT-01", "DF-FEAT-04", "DF-SET-02"]
    if player.island == card.island:
        rules += ["DF-FEAT-02", "DF-OUST-05"]
    else:
        rules.append("DF-FEAT-09")
    if card.id in player.feats:
        rules.append("DF-FEAT-08")
    if not card.first_game:
        rules += ["DF-SET-13", "DF-SET-14"]
    return rules


def _check_pile(desk: Desk, card: Feat) -> None:
    if card.id not in desk.state.piles:
        desk.refuse("df_not_in_this_game", "DF-SET-13", "DF-SET-14", feat=feat_ref(card.id))
    elif desk.state.piles[card.id] <= 0:
        desk.refuse("df_pile_empty", "DF-FEAT-03", feat=feat_ref(card.id))


def _check_oust(desk: Desk, event: Event, ousted: Player | None) -> None:
    """Refuse a roll for somebody who is not ousted from that portal."""
    claimed = event.oust.player if event.oust else None
    if claimed is not None and (ousted is None or ousted.id != claimed):
        rules = ("DF-OUST-05",) if claimed == event.by else ("DF-OUST-01", "DF-OUST-02")
        desk.refuse("df_not_ousted", *rules, who=claimed)


def _oust(desk: Desk, player: Player, ousted: Player, event: Event, picks: Picks) -> None:
    """Send a hero home and bless the player before the card is taken (DF-OUST-02, DF-OUST-03)."""
    desk.state.slip(ousted.id, "ousting-forgotten", "island", ousted.island - ORIGIN)
    ousted.island = ORIGIN
    rules = ["DF-OUST-01", "DF-OUST-02", "DF-OUST-04", "DF-OUST-06", "DF-OUST-08"]
    if event.extra:
        rules.append("DF-OUST-07")
    desk.say("df_ousts", rules, who=player.id, ousted=ousted.id)
    for hero in (player, ousted):
        _oust_rewards(desk, hero)
    if event.oust is None:
        desk.state.due.append(Due(ousted.id, "bless", "oust", 1))
        desk.coming.bless_ousted(desk, ousted.id)
        return
    before, glory = ousted.have.copy(), glory_of(ousted, desk.catalog.glory_token)
    own = Picks(event.oust.choices, ousted) if event.oust.choices else picks
    blessing = ("DF-BLESS-02", "DF-BLESS-03", "DF-OUST-02", "DF-OUST-03", "DF-OUST-09")
    receive(desk, ousted, event.oust.faces, (0, 1), own, blessing)
    slip_forgotten(desk, ousted, "oust-blessing-forgotten", before, glory)
    if own is not picks:
        own.refuse_leftovers(desk)


def _oust_rewards(desk: Desk, hero: Player) -> None:
    """Apply lasting cards that reward an ousting, on either side; each copy counts."""
    for name in hero.feats:
        card = desk.catalog.feats[name]
        if card.kind == "oust_reward":
            glory = card.effect["gain"]["V"]
            desk.say("df_oust_pays", card.rules, who=hero.id, feat=feat_ref(card.id))
            desk.say("df_gains", card.rules, glory, who=hero.id, what=amounts_in_words({"V": glory}))
            add_glory(desk, hero, glory)


def _take_card(desk: Desk, player: Player, card: Feat, event: Event, picks: Picks) -> None:
    """Take the top card: its effect applies now, its printed glory counts at the end (DF-FEAT-10)."""
    state = desk.state
    state.piles[card.id] -= 1
    player.feats += (card.id,)
    state.last_feat = card.id
    state.slip(player.id, "printed-glory-at-once", "V", card.glory)
    rules = ["DF-FEAT-04", "DF-FEAT-10", *card.rules]
    rules += {2: ["DF-FEAT-05", "DF-FEAT-06"], "inventory": ["DF-FEAT-07"]}.get(card.pile, ["DF-FEAT-05"])
    desk.say("df_takes_card", rules, card.glory, who=player.id, feat=feat_ref(card.id), n=card.glory)
    if card.is_reinforcement:
        picks.rules += ("DF-REINF-03",)
        desk.say("df_waits_for_step_2", ("DF-REINF-03",), feat=feat_ref(card.id))
    else:
        TAKE[card.kind](desk, player, card, event, picks)
