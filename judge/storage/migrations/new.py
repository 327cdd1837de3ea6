"""Writes a migration from the newest revision to the tables: `make migration NAME="results of matches"`.
Read and correct the result: it cannot detect a renamed column.
"""

import sys
import tempfile
from pathlib import Path

from alembic import command

from judge.storage.database import Database
from judge.storage.migrate import MIGRATIONS, alembic_config, schema_change, upgrade


def main(name: str) -> None:
    number = len(list((MIGRATIONS / "versions").glob("*.py"))) + 1
    revision = f"{number:04}_{name.replace(' ', '_')}"
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'empty.sqlite3'}")
        database.make_file()
        with schema_change(database) as connection:
            upgrade(connection)
            config = alembic_config(connection)
            config.set_main_option("file_template", "%%(rev)s")
            command.revision(config, message=f"{name.capitalize()}.", autogenerate=True, rev_id=revision)
        database.close()


if __name__ == "__main__":
    main(sys.argv[1])
