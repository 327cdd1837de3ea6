"""Every table of the product, so that metadata is complete: import new table modules here."""

from sqlmodel import SQLModel

from judge.storage.audit import AuditRow

METADATA = SQLModel.metadata

__all__ = ["METADATA", "AuditRow"]
