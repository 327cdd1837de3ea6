"""Tables for the other ways to prove who somebody is: passkeys, an authenticator app, recovery codes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Column
from sqlmodel import Field, SQLModel

from judge.storage.columns import UtcDateTime, new_token


class Passkey(SQLModel, table=True):
    """A passkey of an account. Only the public half is here: the row opens nothing.

    `host` is the name in the address where it was made; browsers offer it nowhere else.
    """

    id: int = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    name: str = Field(max_length=60)
    host: str = Field(max_length=255)
    credential: str = Field(max_length=1400, unique=True)  # base64url
    public_key: str = Field(max_length=2800)  # COSE, base64url
    uses: int = Field(default=0, sa_column=Column(BigInteger, nullable=False))  # as the device counts them
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    used_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


class AuthenticatorApp(SQLModel, table=True):
    """The app whose codes an account is asked for after its password, once a first code has confirmed it.

    The app's secret is made from `salt` and the server's secret, so a copy of the database does not hold it.
    `last_step` is the time step of the newest code used: none is taken twice.
    """

    __tablename__ = "authenticator_app"

    id: int = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", unique=True)
    salt: str = Field(default_factory=new_token, max_length=40)
    last_step: int = Field(default=0)
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    confirmed_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


class RecoveryCode(SQLModel, table=True):
    """A code that replaces the app once. `key` is its hash."""

    __tablename__ = "recovery_code"

    id: int = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    key: str = Field(max_length=64, index=True)
    used_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
