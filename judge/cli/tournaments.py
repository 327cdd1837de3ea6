"""`judge standings`, `judge pair`, `judge bracket`, `judge outlook`, `judge season`, `judge convert` and
`judge csv`."""

from __future__ import annotations

from csv import DictReader
from pathlib import Path
from typing import Any

import click

from judge.cli.io import load, named, print_json, printing, read_bytes
from judge.core.messages import Lang, Message
from judge.services.event import tournament_files as service
from judge.tournament.groups import group_name
from judge.tournament.tiebreaks import TIEBREAKERS


def _table(header: list[str], rows: list[list[str]]) -> None:
    """Columns as wide as they need to be; numbers to the right."""
    widths = [max(len(row[n]) for row in [header, *rows]) for n in range(len(header))]
    for row in [header, *rows]:
        cells = (
            cell.rjust(width) if _is_number(cell) else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        )
        click.echo("  ".join(cells).rstrip())


def _is_number(cell: str) -> bool:
    return cell.lstrip("-").replace(".", "", 1).isdigit()


def _shown(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _word(lang: Lang, key: str) -> str:
    return service.phrasebook(lang).sentences[f"tournament_word_{key}"]


stage_option = click.option("--stage", type=int, help="Another stage than the one being played, from 1.")


@click.command()
@click.argument("file")
@click.option("--after", type=int, help="After this round; later rounds do not count.")
@click.option("--explain", "who", help="Show how each tie-breaker of this player came about.")
@stage_option
@click.option("--event", "whole_event", is_flag=True, help="The places of the whole event.")
@printing
def standings(
    file: str, after: int | None, who: str | None, stage: int | None, whole_event: bool, as_json: bool,
    lang: Lang,
) -> None:  # fmt: skip
    """Print the standings of the tournament in FILE: of the stage being played, or another."""
    if whole_event and (stage is not None or who is not None):
        raise click.UsageError("--event goes with neither --stage nor --explain.")
    data = load(file)
    if who is not None:
        line = named(file, lambda: service.explain_file(data, who, after, lang, stage))
        print_json(line) if as_json else _print_explained(line, lang)
        return
    table = named(file, lambda: service.standings_file(data, after, stage, whole_event=whole_event))
    if as_json:
        print_json(table)
    else:
        _print_standings(table, lang)


def _print_standings(table: list[service.StandingJson], lang: Lang) -> None:
    names = list(table[0]["tiebreakers"]) if table else []
    if any(list(s["tiebreakers"]) != names for s in table):
        names = []  # of different stages
    has_groups = any("group" in s for s in table)
    words = (*(["group"] if has_groups else []), "rank", "player", "points", "record")
    header = [_word(lang, word) for word in words] + [_tiebreaker(name, lang) for name in names]
    rows = [
        [
            *([group_name(s["group"])] if has_groups else []),
            str(s["rank"]),
            s["player"],
            _shown(s["points"]),
            s["record"],
            *(_shown(s["tiebreakers"][name]) for name in names),
        ]
        for s in table
    ]
    _table(header, rows)


def _tiebreaker(name: str, lang: Lang) -> str:
    return TIEBREAKERS[name].name(service.phrasebook(lang))


def _print_explained(line: dict[str, Any], lang: Lang) -> None:
    click.echo(f"{line['rank']}. {line['player']}: {_shown(line['points'])} ({line['record']})")
    for name, worked in line["workings"].items():
        click.echo(f"{_tiebreaker(name, lang)}: {worked['arithmetic']}\n    {worked['says']}")


@click.command()
@click.argument("file")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draw by lot.")
@click.option("--again", is_flag=True, help="Pair the unplayed tables of the last round anew.")
@click.option("--table", "tables", type=int, multiple=True, help="With --again: only this table; repeatable.")
@stage_option
@printing
def pair(
    file: str, seed: int, again: bool, tables: tuple[int, ...], stage: int | None, as_json: bool, lang: Lang
) -> None:
    """Print the next round of the tournament in FILE; once a stage is complete, the first of the next."""
    data = load(file)
    if again:
        pairing = named(file, lambda: service.pair_again_file(data, seed, lang, stage, tables))
    else:
        pairing = named(file, lambda: service.pair_file(data, seed, lang, stage))
    if as_json:
        print_json(pairing)
        return
    title = f"{pairing['stage_name']}: " if pairing.get("stage_name") else ""
    click.echo(f"{title}{_word(lang, 'round')} {pairing['round']}")
    for table in pairing["tables"]:
        names = table.get("players") or (table["a"], table["b"])
        click.echo(f"{table['table']:>4}  {' – '.join(names)}\n      {table['why']}")
    for player in pairing["byes"]:
        click.echo(f"   {_word(lang, 'bye')}: {player}")
    if pairing["bye_why"]:
        click.echo(f"      {pairing['bye_why']}")
    for note in pairing["notes"]:
        click.echo(note)


@click.command()
@click.argument("file")
@stage_option
@printing
def bracket(file: str, stage: int | None, as_json: bool, lang: Lang) -> None:
    """Print the bracket of the elimination event in FILE."""
    data = load(file)
    drawn = named(file, lambda: service.bracket_file(data, lang, stage))
    if as_json:
        print_json(drawn)
        return
    for shown in drawn["rounds"]:
        matches = [m for m in shown["matches"] if m["is_drawn"]]
        if matches:
            click.echo(shown["name"])
        for m in matches:
            names = " – ".join(_mark(m, m[seat]["player"]) for seat in ("a", "b"))
            click.echo(f"  {m['id']:<6} {names}")
    if drawn["champion"]:
        click.echo(f"{_word(lang, 'champion')}: {drawn['champion']}")


def _mark(match: dict[str, Any], player: str | None) -> str:
    return "…" if player is None else f"{player} ✓" if player == match["winner"] else player


@click.command()
@click.argument("file")
@click.option("--player", help="This player only, or the team of this member.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the simulation.")
@printing
def outlook(file: str, player: str | None, seed: int, as_json: bool, lang: Lang) -> None:
    """Print who goes on or is first, who cannot any more, and what the others need."""
    from judge.services.event.outlooks import outlook_file

    data = load(file)
    lines = named(file, lambda: outlook_file(data, player, lang, seed))
    if as_json:
        print_json(lines)
        return
    book = service.phrasebook(lang)
    width = max((len(line["player"]) for line in lines), default=0)
    for line in lines:
        says = [line["needs"]]
        if line["draw_is_safe"] and line["state"] == "open":
            says.append(f"({book.sentences['outlook_draw_is_safe']})")
        if "chance" in line:
            share, error = (f"{100 * line[key]:.0f}" for key in ("chance", "error"))
            says.append(book.say(Message("outlook_chance", share=share, error=error)))
        state = book.sentences[f"outlook_word_{line['state']}"]
        click.echo(f"{line['player']:<{width}}  {state}: {' '.join(says)}")


@click.command()
@click.argument("file")
@printing
def season(file: str, as_json: bool, lang: Lang) -> None:
    """Print the standings of the season in FILE; the tournament files it names are read beside it."""
    from judge.services.season.season_files import season_file

    data = load(file)
    folder = Path.cwd() if file == "-" else Path(file).parent
    table = named(file, lambda: season_file(data, lambda name: load(str(folder / name))))
    if as_json:
        print_json(table)
        return
    words = service.phrasebook(lang).sentences
    header = [_word(lang, word) for word in ("rank", "player", "points")]
    header += [words["season_word_counts"], words["season_word_dropped"]]
    rows = [
        [
            str(line["rank"]),
            line["player"],
            _shown(line["points"]),
            *(_earned(line[key]) for key in ("events", "dropped")),
        ]
        for line in table
    ]
    _table(header, rows)


def _earned(events: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['event']} {_shown(one['points'])}" for one in events) or "–"


@click.command()
@click.argument("file")
@printing
def convert(file: str, as_json: bool, lang: Lang) -> None:
    """Print FILE of another tool (TRF of chess, CSV with one match a line) as a tournament file."""
    data = named(file, lambda: service.converted(read_bytes(file)))
    print_json(data) if as_json else click.echo(service.as_yaml(data), nl=False)


@click.command()
@click.argument("what", type=click.Choice(["players", "results", "standings"]))
@click.argument("file")
@click.option("--after", type=int, help="Standings after this round.")
@stage_option
@printing
def csv(what: str, file: str, after: int | None, stage: int | None, as_json: bool, lang: Lang) -> None:
    """Print players, results or standings of the tournament in FILE as CSV, safe to open in a spreadsheet."""
    data = load(file)
    text = named(file, lambda: service.csv_file(data, what, after, stage))
    if as_json:
        print_json(list(DictReader(text.splitlines())))
    else:
        click.echo(text, nl=False)
