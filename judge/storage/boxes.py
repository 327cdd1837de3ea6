"""The table of hero boxes at an event."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey
from sqlmodel import Field, SQLModel


class HeroBox(SQLModel, table=True):
    """One physical box of a hero. player_id: whose it is, and who alone plays with it; null: lent to anybody.
    Which match it is in follows from `Match.selection["boxes"]` of the matches being played."""

    __tablename__ = "hero_box"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(
        sa_column=Column(ForeignKey("event.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    hero: str = Field(max_length=60)
    label: str = Field(default="", max_length=40)
    player_id: int | None = Field(
        default=None,
        sa_column=Column(ForeignKey("player.id", ondelete="SET NULL"), nullable=True, index=True),
    )
