"""Prints a Dice Forge table in the terminal: inventories, dice (one line each) and the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from judge.core.messages import Lang, Message
from judge.schemas.dice_forge.catalog import name_in

Word = Callable[..., str]
RESERVES = ("gold", "sun", "moon", "glory")


def forge_players(players: Mapping[str, Any], lang: Lang, word: Word, indent: str = "  ") -> Iterator[str]:
    for name, player in players.items():
        yield indent + word("out_labelled", label=name, text=_inventory(player, lang, word))
        for n, die in enumerate(player["dice"]):
            yield f"{indent}    {_die(n, die, player['shown'][n], lang, word)}"


def _inventory(player: Mapping[str, Any], lang: Lang, word: Word) -> str:
    parts = [word(f"df_{key}", n=player[key]) for key in RESERVES]
    if player["hundreds"]:
        parts.append(word("df_out_hundreds", n=player["hundreds"]))
    parts.append(word("df_out_caps", caps=" / ".join(str(n) for n in player["caps"].values())))
    origin = player["island"] == "origin"
    parts.append(word("df_out_origin") if origin else word("df_out_island", n=player["island"]))
    if player["feats"]:
        parts.append(word("df_out_feats", feats=counted("feats", player["feats"], lang)))
    for token, n in player["tokens"].items():
        parts.append(name_in("tokens", token, lang) + (f" × {n}" if n > 1 else ""))
    if "hammer" in player:
        parts.append(_hammer(player["hammer"], word))
    if player["removed"]:
        parts.append(word("df_out_removed", faces=counted("faces", player["removed"], lang)))
    return " · ".join(parts)


def _hammer(hammer: Any, word: Word) -> str:
    if hammer == "retired":
        return word("df_out_hammer_retired")
    return word("df_out_hammer", lap=hammer["lap"], space=hammer["position"])


def _die(n: int, faces: list[str], shown: str | None, lang: Lang, word: Word) -> str:
    on_it = word("df_out_die", die=n + 1, faces=counted("faces", faces, lang))
    return on_it if shown is None else f"{on_it} · {word('df_out_shows', face=name_in('faces', shown, lang))}"


def counted(kind: str, ids: list[str], lang: Lang) -> str:
    """`1 gold × 5, 1 sun shard`, in the order in which the kinds first appear."""
    return ", ".join(
        name_in(kind, item, lang) + (f" × {n}" if n > 1 else "") for item, n in Counter(ids).items()
    )


def forge_turn(ruling: Mapping[str, Any], lang: Lang, word: Word) -> Iterator[str]:
    turn = ruling["turn"]
    if not turn.get("ended"):
        rounds = ruling["setup"]["rounds"]
        yield "  " + word(
            "df_out_turn", round=turn["round"], rounds=rounds, step=turn["step"], who=turn["active"]
        )
    for due in turn.get("due", ()):
        cause = name_in("feats", due["feat"], lang) if due.get("feat") else Message("df_the_ousting")
        yield "  " + word("df_ask_rolls", cause=cause, n=due["left"], who=due["player"])
    scores = ", ".join(f"{name} {n}" for name, n in ruling["outcome"]["scores"].items())
    yield "  " + word("print_scores", scores=scores)
    for name, lost in ruling["lost"].items():
        amounts = [Message(f"df_{key}", n=n) for key, n in lost.items()]
        yield "  " + word("df_out_lost", who=name, what=amounts)


def forge_may(verbs: list[str], word: Word) -> str:
    return ", ".join(word(f"df_may_{verb}") for verb in verbs)
