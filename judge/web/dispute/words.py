"""Words of the judge's desk: editions, modes, phases, effects and symbols as people say them."""

from __future__ import annotations

from typing import Any

from judge.core.json_types import JsonObject
from judge.core.messages import LANGS, Lang
from judge.rules.catalog import Catalog
from judge.rules.dice_throne.effects.vocabulary import WORDS
from judge.rules.ruling_json import ClaimJson
from judge.rules.ruling_picture import bars as bars  # these three for the templates
from judge.rules.ruling_picture import equation as equation
from judge.rules.ruling_words import deciding_rules as deciding_rules
from judge.schemas.books import newest_first, short_name
from judge.schemas.dice_forge.catalog import catalog as forge_catalog
from judge.schemas.dice_forge.catalog import names as forge_names
from judge.schemas.dice_throne.effects import EffectReader
from judge.schemas.dice_throne.shipped import every_status, shipped_statuses
from judge.services.dispute.find_by_name import named as named
from judge.services.rulebook.effect_words import EffectWords
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext, lazy_gettext, ngettext, speaking

MODES = {
    "duel": lazy_gettext("Duel"),
    "2v2": lazy_gettext("2 against 2"),
    "3v3": lazy_gettext("3 against 3"),
    "king-of-the-hill": lazy_gettext("King of the Hill"),
}
PHASES = {
    "upkeep": lazy_gettext("Upkeep"),
    "income": lazy_gettext("Income"),
    "main-1": lazy_gettext("Main Phase 1"),
    "offensive-roll": lazy_gettext("Offensive Roll"),
    "targeting-roll": lazy_gettext("Targeting Roll"),
    "defensive-roll": lazy_gettext("Defensive Roll"),
    "main-2": lazy_gettext("Main Phase 2"),
    "discard": lazy_gettext("Discard"),
}
ENDS = {
    "step": lazy_gettext("Next step"),
    "turn": lazy_gettext("End of the turn"),
    "round": lazy_gettext("Next round"),
    "end": lazy_gettext("End of the game"),
}
KINDS = {
    "offensive": lazy_gettext("attack"),
    "ultimate": lazy_gettext("Ultimate"),
    "defensive": lazy_gettext("defence"),
    "passive": lazy_gettext("passive"),
    "status": lazy_gettext("token"),
    "upgrade": lazy_gettext("upgrade"),
    "main": lazy_gettext("main card"),
    "roll": lazy_gettext("roll card"),
    "instant": lazy_gettext("instant"),
    "again": lazy_gettext("as before"),
}
COUNTED = {
    "deal": lazy_gettext("Damage"),
    "add": lazy_gettext("Adds damage"),
    "prevent": lazy_gettext("Prevents"),
    "reduce": lazy_gettext("Reduces"),
    "heal": lazy_gettext("Heals"),
    "gain_cp": lazy_gettext("Gains CP"),
    "steal_cp": lazy_gettext("Steals CP"),
    "draw": lazy_gettext("Draws cards"),
}
TYPES = {
    "normal": lazy_gettext("normal"),
    "undefendable": lazy_gettext("undefendable"),
    "pure": lazy_gettext("pure"),
    "collateral": lazy_gettext("collateral"),
    "ultimate": lazy_gettext("Ultimate"),
}
RESOURCES = {
    "G": lazy_gettext("gold"),
    "S": lazy_gettext("sun"),
    "M": lazy_gettext("moon"),
    "V": lazy_gettext("glory"),
}
SIGNS = {"G": "●", "S": "☀", "M": "☾", "V": "★"}
VERDICTS = {
    "legal": lazy_gettext("Legal"),
    "illegal": lazy_gettext("Not allowed"),
    "discretion": lazy_gettext("Left open"),
}
MARKS = {"legal": "✓", "illegal": "✗", "discretion": "?"}
MAY = {
    "roll": lazy_gettext("roll"),
    "announce": lazy_gettext("announce"),
    "activate": lazy_gettext("activate an ability"),
    "target": lazy_gettext("roll for a target"),
    "defend": lazy_gettext("defend"),
    "play-main": lazy_gettext("play main cards"),
    "play-roll": lazy_gettext("play roll cards"),
    "play-instant": lazy_gettext("play instants"),
    "upgrade": lazy_gettext("upgrade"),
    "sell": lazy_gettext("sell cards"),
    "spend": lazy_gettext("spend tokens"),
    "pay": lazy_gettext("pay CP to remove a token"),
    "bless": lazy_gettext("receive a blessing"),
    "reinforce": lazy_gettext("use a reinforcement"),
    "offer": lazy_gettext("make an offering"),
    "feat": lazy_gettext("perform a heroic feat"),
    "extra": lazy_gettext("buy an extra action"),
    "token": lazy_gettext("use a token"),
}
VERBS = {
    "roll": lazy_gettext("rolls"),
    "sell": lazy_gettext("sells"),
    "choose": lazy_gettext("chooses"),
    "target": lazy_gettext("targets"),
    "bless": lazy_gettext("blessing"),
    "minor": lazy_gettext("minor blessing"),
    "offer": lazy_gettext("offering"),
}
ASKED = {  # over the answers to a question
    "line": lazy_gettext("Which line?"),
    "option": lazy_gettext("Which option?"),
    "may": lazy_gettext("Optional: is it done?"),
    "number": lazy_gettext("How many?"),
    "whom": lazy_gettext("On whom?"),
    "between": lazy_gettext("From whom to whom?"),
    "cost": lazy_gettext("Cost in CP"),
    "die": lazy_gettext("The die shows"),
}
OUTCOMES = {
    "resolves": lazy_gettext("resolves"),
    "no effect": lazy_gettext("no effect"),
    "not allowed": lazy_gettext("not allowed"),
}


def editions(game: str) -> dict[str, str]:
    """The books of a game by id with their short names, newest first."""
    return {book.id: book.short_names[language()] for book in newest_first(game)}


def edition_name(edition: str) -> str:
    """A book's short name, or its id if the book no longer exists."""
    return short_name(edition, language())


def status_name(status_id: str, lang: Lang | None = None) -> str:
    status = shipped_statuses().get(status_id) or every_status().get(status_id)
    return named(status, lang or language()) if status else status_id.replace("-", " ")


def effect_words(effects: list[Any]) -> str:
    """Entered effects in a few words: "18 damage, inflicts Concussion"."""
    return ", ".join(filter(None, (_effect_in_words(e) for e in effects if isinstance(e, dict))))


def _effect_in_words(effect: JsonObject) -> str:
    for word, value in effect.items():
        if word in ("then", "additionally") and isinstance(value, list):
            return effect_words(value)
        says = _word_in_words(word, value, effect)
        if says:
            return says
    return ", ".join(f"{k}: {v}" for k, v in effect.items())


def _word_in_words(word: str, value: Any, effect: JsonObject) -> str:
    if word == "deal" and isinstance(value, int):
        kind = effect.get("type", "normal")
        damage = ngettext("%(num)d damage", "%(num)d damage", value)
        return damage if kind == "normal" else f"{damage} ({TYPES.get(kind, kind)})"
    if word in COUNTED:
        return f"{COUNTED[word]}: {value}"
    if word in WORDS and WORDS[word].label:
        return _labelled(effect)
    if word == "gain":
        return gettext("gains %(token)s", token=status_name(str(value)))
    if word == "inflict":
        return gettext("inflicts %(token)s", token=status_name(str(value)))
    if word == "remove":
        return gettext("removes %(token)s", token=status_name(str(value)))
    if word == "prevent_fraction":
        return gettext("prevents %(part)s of it", part=_part(value))
    if word == "return_fraction":
        return gettext("returns %(part)s of it", part=_part(value))
    if word == "avoid":
        return gettext("avoids it")
    return _labelled(effect) if word in WORDS else ""


def _labelled(effect: JsonObject) -> str:
    """An effect whose word has its own label; the table has been read, so whoever it names is a player."""
    catalog, reader = Catalog(statuses=every_status()), EffectReader(_texts_in(effect))
    return EffectWords(language(), catalog).in_short((reader.effect(effect, ""),))


def _texts_in(entry: Any) -> set[str]:
    if isinstance(entry, dict | list):
        inner = entry.values() if isinstance(entry, dict) else entry
        return {text for part in inner for text in _texts_in(part)}
    return {str(entry)}


def counted(word: str) -> str:
    """The heading over the numbers of an effect word."""
    return str(COUNTED.get(word, word.replace("_", " ").capitalize()))


def _part(value: Any) -> str:
    return {"1/2": "½", "1/3": "⅓", "1/4": "¼", "2/3": "⅔", "3/4": "¾"}.get(str(value), str(value))


def other_languages() -> list[Lang]:
    return [lang for lang in LANGS if lang != language()]


def forge_name(thing_id: str, lang: Lang) -> str | None:
    """A face, feat or token of Dice Forge by name."""
    for group in forge_names().values():
        if thing_id in group:
            return group[thing_id].get(lang) or group[thing_id].get("en")
    return None


def face_text(face: str) -> str:
    """A face of Dice Forge as it is read off the die."""
    return forge_name(face, language()) or face


_SPECIAL_FACES = {"multiply": "×3", "copy_displayed": "◫", "buy": "△", "boar": "◆"}


def drawn(face: str) -> str:
    """A face of Dice Forge in the signs of the players' strips: "●2 ☾1", "●1 / ☀1", "×3"."""
    effect = forge_catalog().faces[face].effect
    if "gain" in effect:
        return _signs(effect["gain"])
    if "options" in effect:
        return " / ".join(map(_signs, effect["options"]))
    if "matches" in effect:
        return f"▽ {SIGNS[effect['matches']]}"
    return _SPECIAL_FACES[effect["kind"]]


def _signs(amounts: dict[str, int]) -> str:
    return " ".join(f"{SIGNS[letter]}{n}" for letter, n in amounts.items())


def face_class(face: str) -> str:
    """The colour of a face that brings one thing."""
    return f"r-{face[0]}" if face[0] in SIGNS and face[1:].isdecimal() else ""


def cost(amounts: dict[str, int]) -> str:
    """A price by the signs of the players' strips: "☀ 5 ☾ 5"."""
    return " ".join(f"{SIGNS[letter]} {n}" for letter, n in amounts.items())


HEADINGS = {
    "steps": lazy_gettext("Step by step"),
    "events": lazy_gettext("What was done"),
    "rules": lazy_gettext("The rules"),
    "other_rules": lazy_gettext("Other rules"),
}


def claim_says(claim: ClaimJson, lang: Lang) -> str:
    """Whether a claim is right, in the language of the column it stands in."""
    with speaking(lang):
        if claim["right"]:
            return gettext("%(by)s is right: %(n)d.", by=claim["by"], n=claim["claimed"])
        return gettext(
            "%(by)s says %(n)d for %(player)s: that is not right.",
            by=claim["by"],
            n=claim["claimed"],
            player=claim["player"],
        )


def heading(name: str, lang: Lang) -> str:
    """A heading of a ruling in its language, which may differ from the page's."""
    with speaking(lang):
        return str(HEADINGS[name])
