"""Before a wheel is packed: make the .mo catalogues from the .po files."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from judge.translations import compile_catalogues

        compile_catalogues(Path(self.root) / "judge" / "translations")
