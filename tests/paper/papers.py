"""Builders for paper: phrasebooks, invented names, and tournaments played to any point."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from judge.core.messages import Lang, Phrasebook
from judge.printing.page import Sheet
from judge.schemas.fixtures import sentences
from judge.schemas.tournament.reader import read_tournament
from judge.tournament.formats import pair_round
from judge.tournament.model import Tournament

SHEET = Sheet("Spring Throne", 3, "41", "14:05", "https://judge.example.org/e/spring")

FIRST = {
    "en": "Ana Ben Cleo Dov Eva Finn Gaia Hugo Ines Joel Kira Liam Mona Nils Olga Pavel",
    "fr": "Élodie Œdipe Gaëlle François Noé Zoé Léo Inès Ambre Éric Maël Anaïs Côme Théo Loïc Hélène",
    "ru": "Анна Борис Вера Глеб Елена Ёлка Жанна Зоя Игорь Кира Лев Мария Нина Олег Пётр Юрий",
}
LAST = {
    "en": "Adler Brook Carter Dale Ellis Ford Grant Hale",
    "fr": "Évrard Bœuf Çelik Dupré Fête Gâteau Hêtre Ibañez",
    "ru": "Абрамов Белый Волков Ёлкин Жуков Зимин Королёв Щукин",
}
HOSTILE = [
    "W" * 60, "i" * 60, "<b>Bob</b> & \"Co\" \\(x)", "Bob <b & Co", "Dice 🎲 and 👨‍👩‍👧 family 👍🏽",
    "דוד לוי", "محمد علي", "Ana משה 42 Ben", "王小明", "A" + "\u0301" * 40, "  two\tlines\nhere  ",
    "x\x00y\x1b[31m", "\u202egnirts\u202c", "🇫🇷 Ana", "名" * 60, "",
]  # fmt: skip


@cache
def book(lang: Lang) -> Phrasebook:
    return Phrasebook(lang, sentences(lang))


def people(count: int, lang: Lang = "en", seed: int = 7) -> list[str]:
    """Different names; the same ones every time."""
    found = [f"{first} {last}" for first in FIRST[lang].split() for last in LAST[lang].split()]
    found += [f"{name} {n}" for n in range(2, 2 + count // len(found)) for name in found]
    found = found[:count]
    random.Random(seed).shuffle(found)
    return found


def played(players: list[Any], kind: str = "swiss", rounds: int = 2, **settings: Any) -> Tournament:
    """An event in which `a` wins every match by twelve health."""
    data = {
        "tournament": 1, "name": "Spring Throne", "game": "dice-throne", "format": {"kind": kind},
        "players": players, **settings,
    }  # fmt: skip
    for _ in range(rounds):
        t = read_tournament(data)
        pairing = pair_round(t)
        seated = {p for table in pairing.tables for p in (table.a, table.b)}
        matches = [
            {"a": t.label(m.a), "b": t.label(m.b), "result": "a", "health": [12, 0]} for m in pairing.tables
        ]
        matches += [{"a": t.label(p), "result": "bye"} for p in pairing.byes if p not in seated]
        data["rounds"] = [*data.get("rounds", []), matches]
    return read_tournament(data)
