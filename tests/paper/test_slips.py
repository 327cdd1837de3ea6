"""Result slips: what stands on them, and that a cut stack lies in table order."""

import pytest

from judge.core.messages import LANGS
from judge.printing.qr import qr_path
from judge.printing.slips import GRIDS, Slip, SlipPlayer, blank_slips, cut_sorted, slips_pdf
from judge.services.paper.shapes import Selection, slips_of
from tests.paper.papers import HOSTILE, SHEET, book, people, played
from tests.paper.reading import Read


def slips(count: int, names: list[str] | None = None, url: str = "") -> list[Slip]:
    names = names or people(2 * count)
    return [
        Slip(n + 1, (SlipPlayer(names[2 * n]), SlipPlayer(names[2 * n + 1])), url and f"{url}/{n + 1}")
        for n in range(count)
    ]


def cut(read: Read, per_page: int) -> dict[tuple[int, int], list[list[str]]]:
    """Cut the pages: for every place (row, column) the stack of slips from front to back, as their texts."""
    across, down = GRIDS[per_page]
    stacks: dict[tuple[int, int], list[list[str]]] = {}
    for page in range(len(read.pages)):
        box = read.pages[page].mediabox
        wide, high = float(box.width) / across, float(box.height) / down
        for row in range(down):
            for column in range(across):
                texts = [
                    word.text
                    for word in read.words
                    if word.page == page
                    and int(word.x // wide) == column
                    and int((float(box.height) - word.y) // high) == row
                ]
                if texts:
                    stacks.setdefault((row, column), []).append(texts)
    return stacks


@pytest.mark.parametrize("per_page", [2, 4, 6, 8])
@pytest.mark.parametrize("count", [1, 7, 129])
def test_cutting_and_stacking_gives_table_order(per_page, count):
    read = Read(slips_pdf(SHEET, slips(count), book("en"), per_page=per_page))
    stacks = cut(read, per_page)
    pile = [texts for place in sorted(stacks) for texts in stacks[place]]
    tables = [int(next(text for text in texts if text.isdigit())) for texts in pile]

    read.assert_well_set()
    assert tables == list(range(1, count + 1))
    assert len(read.pages) == -(-count // per_page)


@pytest.mark.parametrize("lang", LANGS)
def test_every_name_of_129_tables_is_there_once_at_its_table(lang):
    names = people(258, lang)

    read = Read(slips_pdf(SHEET, slips(129, names), book(lang), "letter", 6))

    read.assert_well_set()
    stacks = cut(read, 6)
    pile = [texts for place in sorted(stacks) for texts in stacks[place]]
    assert [[text for text in texts if text in set(names)] for texts in pile] == [
        names[n : n + 2] for n in range(0, 258, 2)
    ]


def test_the_code_of_a_slip_opens_its_own_table():
    read = Read(slips_pdf(SHEET, slips(8, url="https://j.example/t"), book("en"), per_page=8))
    content = read.content(0)
    places = [content.index(qr_path(f"https://j.example/t/{n}")[0]) for n in range(1, 9)]

    assert places == sorted(places)


def test_a_slip_says_what_is_known_and_asks_for_the_rest():
    one = SlipPlayer("Ana", picks=("Paladin",), bans=("Monk", "Treant"), starts=True)
    read = Read(slips_pdf(SHEET, [Slip(5, (one, SlipPlayer("Ben", starts=False)))], book("en"), per_page=2))
    text = " ".join(read.texts)

    for words in ("Table 5", "Spring Throne", "Round 3", "► starts", "Hero: Paladin", "Banned: Monk, Treant"):
        assert words in text
    for words in ("Won", "Health", "Signature"):
        assert read.texts.count(words) == 2
    assert read.texts.count("Turns played after time") == 1
    assert "☐ starts" not in text


def test_slips_come_from_the_tournament_with_heroes_and_selections():
    t = played([{"name": "Ana", "heroes": ["paladin"]}, "Ben", "Cleo"], rounds=1)
    match = next(m for m in t.rounds[0] if m.b is not None)
    known = {1: Selection(picks={match.a: ("Monk",)}, starts=match.b)}

    plain = slips_of(t, 1, hero_name=str.title, url_of=lambda table: f"/t/{table}")
    chosen = slips_of(t, 1, selections=known)

    assert [slip.table for slip in plain] == [1]
    assert plain[0].url == "/t/1"
    assert {p.name: p.heroes for p in plain[0].players}["Ana"] == ("Paladin",)
    assert chosen[0].players[0].picks == ("Monk",)
    assert [p.starts for p in chosen[0].players] == [False, True]


@pytest.mark.parametrize("per_page", [2, 8])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_blank_slips_and_pods_are_well_set(per_page, seats):
    read = Read(slips_pdf(SHEET, blank_slips(10, "score", seats), book("ru"), per_page=per_page))

    read.assert_well_set()
    assert read.texts.count("Стол") == 10


def test_hostile_names_stay_on_their_slip():
    names = HOSTILE if len(HOSTILE) % 2 == 0 else [*HOSTILE, "Ana"]
    read = Read(slips_pdf(SHEET, slips(len(names) // 2, names), book("en"), per_page=8))

    read.assert_well_set()
    wide = float(read.pages[0].mediabox.width) / 2
    assert all(int(word.x // wide) == int((word.right - 0.5) // wide) for word in read.words)


def test_cut_sorting_leaves_no_item_out():
    pages = cut_sorted(list(range(13)), 4)

    assert sorted(n for page in pages for n in page if n is not None) == list(range(13))
    assert [page[0] for page in pages] == [0, 1, 2, 3]
