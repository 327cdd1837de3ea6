"""Names for JSON at the edge of the house: files as they were read, answers as they are sent.

These hold anything; past the edge a reader has turned them into dataclasses. docs/files.md says what stands
in each file.
"""

from __future__ import annotations

from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
TableFile: TypeAlias = JsonObject  # one table of a dispute
EventEntry: TypeAlias = JsonObject  # one event of a table file
TournamentFile: TypeAlias = JsonObject
