"""Every kind of change that the product writes into the log has its sentence in every language."""

import re
from pathlib import Path

import pytest

from judge.core.messages import LANGS
from judge.schemas.fixtures import sentences
from judge.services.log.changes import UNRECORDED
from judge.storage.tables import Player

SERVICES = Path(__file__).parents[2] / "judge" / "services"
KINDS = "result|round|match|player|players|clock|table|event|staff"


def kinds():
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SERVICES.rglob("*.py")))
    return sorted(set(re.findall(rf'"((?:{KINDS})\.[a-z-]+)"', code)))


@pytest.mark.parametrize("lang", LANGS)
def test_every_change_has_words_for_the_log(lang):
    keys = {kind: "log_" + kind.replace(".", "_").replace("-", "_") for kind in kinds()}

    assert len(keys) > 25
    assert [kind for kind, key in keys.items() if key not in sentences(lang)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_every_column_of_a_player_that_can_change_has_a_name(lang):
    columns = set(Player.model_fields) - {"id", "event_id", "created_at", *UNRECORDED}

    assert [name for name in sorted(columns) if f"player_field_{name}" not in sentences(lang)] == []
