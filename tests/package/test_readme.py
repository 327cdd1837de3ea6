"""What README and docs show can be done: files are read, commands exist, links lead somewhere."""

import re
from pathlib import Path

import pytest

from judge.cli import COMMANDS
from judge.schemas.files import parse
from judge.services.event.tournament_files import pair_file, standings_file

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")
TOURNAMENTS = [text for text in re.findall(r"```yaml\n(.*?)```", README, re.DOTALL) if "tournament:" in text]


def test_there_are_tournaments_in_the_readme():
    assert len(TOURNAMENTS) >= 2


@pytest.mark.parametrize("text", TOURNAMENTS)
def test_every_tournament_of_the_readme_is_read_and_ranked(text):
    tournament = parse(text.encode())

    assert standings_file(tournament)
    if "rounds" not in tournament:  # a round that is still being played cannot be followed by another
        assert pair_file(tournament)["tables"]


def test_every_command_of_the_readme_exists():
    named = set(re.findall(r"^judge ([a-z-]+)", README, re.MULTILINE))

    assert named - set(COMMANDS) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) + re.findall(r'<img src="([^"]+)"', text)
    local = [target for target in targets if "://" not in target]

    assert [target for target in local if not (page.parent / target).exists()] == []
