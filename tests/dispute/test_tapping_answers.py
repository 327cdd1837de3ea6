"""Every answer to every question about every thing of every hero: a tap says what was asked and nothing else,
and the table comes out as the same table written as a file."""

from itertools import product

import pytest

from judge.schemas.dice_throne.shipped import hero_ids, shipped_hero
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.answered_events import as_printed, with_dice, with_number, with_token
from judge.services.dispute.dice_throne.questions import questions_about
from tests.dispute.every_thing import table, tables_of

MOST_ROLLS = 3  # dice of which all rolls are tried
EXTRA = "test-token"  # that no text gives


def standing(data):
    """What a table comes to: players, damage and verdicts."""
    ruling = Case(data).said("en")
    verdicts = [event["verdict"] for event in ruling["events"]]
    totals = [
        {who: total["final"] for who, total in resolution["totals"].items()}
        for resolution in ruling["resolutions"]
    ]
    return ruling["players"], totals, verdicts


def with_last(data, event):
    return {**data, "events": [*data["events"][:-1], event]}


def asked(data):
    case = Case(data)
    return case, questions_about(case, len(data["events"]), "en")


@pytest.mark.parametrize("hero", hero_ids())
def test_every_question_has_a_control(hero):
    for data in tables_of(hero):
        case = Case(data)
        questions = {
            str(question.n): question
            for n in range(1, len(data["events"]) + 1)
            for question in questions_about(case, n, "en")
        }
        for ask in case.ruling.asks:
            question = questions.get(str(ask.event))
            assert question is not None, (data["events"], ask)
            fitting = {
                "dice": question.dice or question.rows or question.wants_roll,
                "effects": question.numbers,
                "amount": question.numbers,
                "changes": question.wants_changes,
            }
            assert fitting.get(ask.what, question.rows), (data["events"], ask)


@pytest.mark.parametrize("hero", hero_ids())
def test_a_line_that_is_tapped_is_the_line_that_dice_give(hero):
    for data in tables_of(hero):
        case, questions = asked(data)
        for row in [row for question in questions for row in question.rows if row.kind == "line"]:
            event = data["events"][-1]
            for k, answer in enumerate(row.answers):
                dice = dice_for(hero, case, k)
                if dice is None:
                    continue
                tapped = with_last(data, {**event, "choice": answer.value})
                if Case(tapped).ruling.asks:
                    assert asked(tapped)[1][0].has_control, event  # more than the line is open
                    continue
                rolled = {**data, "turn": {"active": "A", "phase": "offensive-roll", "dice": dice}}
                assert standing(tapped) == standing(rolled), (event, answer)


def dice_for(hero, case, k):
    """Five dice that meet the k-th line of the ability that was activated, and no higher one."""
    ability = shipped_hero(hero).abilities[case.table.events[-1].thing.id]
    level = case.table.players[0].upgrades.get(ability.id)
    card = case.table.catalog.find_upgrade(hero, ability.id, level.level) if level else None
    needs = card.needs if card and card.needs and card.needs.tiers else ability.needs
    if needs is None or not needs.tiers or not all(tier.symbols for tier in needs.tiers):
        return None
    faces = shipped_hero(hero).dice
    for dice in product(range(1, 7), repeat=5):
        shown = [faces[face - 1] for face in dice]
        met = [all(shown.count(s) >= n for s, n in tier.symbols.items()) for tier in needs.tiers]
        if met[k] and not any(met[k + 1 :]):
            return list(dice)
    return None


@pytest.mark.parametrize("hero", hero_ids())
def test_whatever_the_dice_show_a_number_says_the_same_and_the_rest_of_the_text_stays(hero):
    for data in tables_of(hero):
        case, questions = asked(data)
        for question in questions:
            if len(question.numbers) != 1 or not 2 <= question.dice <= MOST_ROLLS or question.rows:
                continue
            row = question.numbers[0]
            tapped = [
                damage(with_last(data, with_number(case, question.n, row.word, value)))
                for value in row.values
            ]
            for dice in product(range(1, 7), repeat=question.dice):
                rolled = damage(with_last(data, {**question.event, "dice": list(dice)}))
                assert rolled in tapped, (question.event, row, dice)


def damage(data):
    return [
        {who: n for who, n in totals.items() if n} for totals in standing(data)[1] if any(totals.values())
    ]


@pytest.mark.parametrize("hero", hero_ids())
def test_a_token_is_added_and_dice_choices_and_the_printed_text_stay(hero):
    for data in tables_of(hero):
        case, questions = asked(data)
        for question in questions:
            if not question.tokens or question.verb not in ("activate", "defend", "play"):
                continue
            if question.rows:
                continue  # first what is open, then what is added
            rolled = with_last(
                data, with_dice(case, question.n, [2] * question.dice) if question.dice else question.event
            )
            before = standing(rolled)
            if before[2][-1] != "legal":
                continue
            added = with_last(rolled, with_token(Case(rolled), question.n, "gain", EXTRA))
            after = standing(added)
            event = added["events"][-1]

            assert event.get("dice") == rolled["events"][-1].get("dice"), event
            assert event.get("choice") == rolled["events"][-1].get("choice"), event
            assert after[1] == before[1], event
            assert after[0]["A"]["statuses"].pop(EXTRA) == 1
            assert after[0] == before[0], event
            assert with_token(Case(added), question.n, "gain", EXTRA) == rolled["events"][-1]
            assert as_printed(event) == rolled["events"][-1]


@pytest.mark.parametrize("hero", hero_ids())
def test_an_option_that_is_tapped_is_the_option_that_a_separate_event_chooses(hero):
    for data in tables_of(hero):
        _case, questions = asked(data)
        for question in questions:
            if any(row.kind == "line" for row in question.rows):
                continue
            for row in question.rows:
                if row.key != "choice" or row.kind not in ("option", "may", "number") or not row.who:
                    continue
                for answer in row.answers:
                    tapped = standing(with_last(data, {**question.event, "choice": answer.value}))
                    if not answer.is_possible:
                        assert tapped[2][-1] == "illegal", (data, answer)
                        continue
                    chosen = [{"by": row.who, "choose": value} for value in answer.value]
                    apart = standing({**data, "events": [*data["events"], *chosen]})
                    if apart[2][-1] == "illegal":
                        continue  # asked at once: no event of its own
                    assert tokens(tapped) == tokens(apart), (data, answer)


def tokens(outcome):
    """What a choice leaves on the table; damage that counts tokens may come before a later choice."""
    return {who: (p["statuses"], p["cp"], p["hand"], p.get("companions")) for who, p in outcome[0].items()}


def test_the_number_of_a_line_keeps_the_rest_of_the_text():
    fireball = table("pyromancer", {"by": "A", "activate": "fireball", "on": "B"})
    tapped = with_last(fireball, with_number(Case(fireball), 1, "deal", 8))

    assert tapped["events"][-1] == {"by": "A", "activate": "fireball", "on": "B", "choice": 3}
    assert standing(tapped)[0]["A"]["statuses"] == {"fire-mastery": 1}
