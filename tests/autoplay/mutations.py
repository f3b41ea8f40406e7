"""Damages results files: bytes, cells, JSON documents and the schema, each from a seed.

Owns the mutations.  The required behaviour is tested by test_damaged_results.py.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

PAGE_SIZE = 4096
CELL_VALUES: tuple[object, ...] = (
    *(None, "", "0", "[]", "{}", "null", "true", "x", "\x1b[2J", "NaN", "1e999", "-1e999"),
    *("[[[[", '{"a":', '"\\ud800"', b"", b"\xff\xfe", b"{}", 0, 1, -1, 0.5, 1e300, float("inf")),
    *(2**31, -(2**31), 2**53, 2**63 - 1, -(2**63), "[" * 2000, "9" * 400),
    *("A", "X", "void", "forfeit: A (X): ", "2026"),
)
JSON_VALUES: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 0.5, -0.5, 2**31, 2**63, 2**64, -(2**70), 10**400, 1e308),
    *("", "x", "A", "X", "Pass", "\x00", "\x1b[31m", "\ud800", "-1", "nan"),
    *([], {}, [[]], [None], ["X", 5], {"": ""}, {"X": None}),
    *("no.such:Engine", "ugi:no-such-program", "negamax:depth=-1", "random:seed=x", "chess"),
    *("/dev/null", "../x"),
)
STATEMENTS = (
    "DROP TABLE games",
    "DROP TABLE match",
    "DELETE FROM games",
    "DELETE FROM match",
    "ALTER TABLE games RENAME COLUMN moves TO moved",
    "ALTER TABLE games DROP COLUMN faults",
    "ALTER TABLE match RENAME COLUMN value TO worth",
    "CREATE VIEW surprise AS SELECT * FROM games",
    "CREATE TRIGGER surprise AFTER INSERT ON games BEGIN DELETE FROM games; END",
    "CREATE TABLE other (a)",
    "UPDATE games SET id = -id",
    "UPDATE games SET id = id + 9000000000000000000",
    "UPDATE games SET pair = 0",
    "UPDATE games SET plies = plies + 1000000",
    "UPDATE games SET moves = opening",
    "UPDATE games SET opening = moves || moves",
    "UPDATE games SET void = 1, outcome = '{}'",
    "UPDATE games SET seats = (SELECT outcome FROM games LIMIT 1)",
    "UPDATE match SET value = (SELECT value FROM match ORDER BY random() LIMIT 1)",
    "UPDATE match SET key = 'schema' || key",
    "PRAGMA user_version = -1",
    "PRAGMA journal_mode = DELETE",
)


def mutate(path: Path, rng: Random) -> str:
    """Damage the file; return a description, so that a failure can be reproduced."""
    kind = rng.choice(
        [
            _damage_bytes,
            _damage_cell,
            _damage_cell,
            _damage_document,
            _damage_document,
            _damage_document,
            _damage_schema,
        ]
    )
    try:
        return kind(path, rng)
    except (sqlite3.Error, ValueError, IndexError) as error:  # already damaged or truncated
        return f"{kind.__name__}: {error!a}"


def _damage_bytes(path: Path, rng: Random) -> str:
    data = bytearray(path.read_bytes())
    kind = rng.choice(["flip", "flip", "truncate", "zero", "swap", "header", "text"])
    if kind in {"flip", "header"}:
        end = 100 if kind == "header" else len(data)
        for _ in range(rng.choice([1, 1, 4, 40])):
            data[rng.randrange(end)] = rng.randrange(256)
    elif kind == "truncate":
        del data[rng.randrange(len(data)) :]
    elif kind == "text":  # damage stored texts, and leave the structure of the file intact
        texts = [at for at in range(len(data)) if 32 < data[at] < 127]
        for _ in range(rng.choice([1, 3, 10])):
            data[rng.choice(texts)] = rng.choice(b'0"[]{},:eE-+\x00\x7f\xff9')
    else:
        pages = len(data) // PAGE_SIZE
        one, other = (rng.randrange(pages) * PAGE_SIZE for _ in range(2))
        first = bytes(data[one : one + PAGE_SIZE])
        second = bytes(data[other : other + PAGE_SIZE])
        data[one : one + PAGE_SIZE] = bytes(PAGE_SIZE) if kind == "zero" else second
        if kind == "swap":
            data[other : other + PAGE_SIZE] = first
    path.write_bytes(data)
    return f"bytes: {kind}"


def _without_constraints(connection: sqlite3.Connection) -> None:
    """Remove types and constraints, so that any cell accepts any value."""
    for table in ("games", "match"):
        columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        placeholders = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO {table} VALUES ({placeholders})", rows)


def _random_cell(connection: sqlite3.Connection, rng: Random) -> tuple[str, int, str, object]:
    table = rng.choice(["games", "match", "match"])
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    column = rng.choice(columns if table == "games" else ["value"] * 9 + ["key"])
    number, value = rng.choice(
        connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
    )
    return table, number, column, value


def _damage_cell(path: Path, rng: Random) -> str:
    with closing(sqlite3.connect(path)) as connection, connection:
        _without_constraints(connection)
        table, number, column, _ = _random_cell(connection, rng)
        value = rng.choice(CELL_VALUES)
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, number))
    return f"cell: {table} {number} {column} = {value!a:.80}"


def _damage_document(path: Path, rng: Random) -> str:
    """Change one value of a JSON document."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for _ in range(50):
            table, number, column, text = _random_cell(connection, rng)
            # The cell may be no document, or one that an earlier mutation nested too deeply.
            with suppress(ValueError, TypeError, RecursionError):
                tree = [json.loads(text)]  # type: ignore[arg-type]  # cells have other types as well
                change = _change(tree, rng)
                changed = json.dumps(tree[0]) if tree else ""
                sets = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
                connection.execute(sets, (changed, number))
                return f"document: {table} {number} {column}: {change}"
    return "document: none"


def _change(tree: list[Any], rng: Random) -> str:
    containers: list[tuple[Any, Any]] = []

    def walk(container: Any) -> None:  # noqa: ANN401 - JSON
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            containers.append((container, key))
            if isinstance(container[key], dict | list):
                walk(container[key])

    walk(tree)
    container, key = rng.choice(containers)
    kind = rng.choice(["set", "set", "set", "delete", "double", "rename"])
    if kind == "delete":
        del container[key]
    elif kind == "double" and isinstance(container, list):
        container.append(container[key])
    elif kind == "rename" and isinstance(container, dict):
        container[rng.choice(["", "x", "\x1b"])] = container.pop(key)
    else:
        container[key] = rng.choice(JSON_VALUES)
        return f"{key!a} = {container[key]!a:.80}"
    return f"{kind} {key!a}"


def _damage_schema(path: Path, rng: Random) -> str:
    statement = rng.choice(STATEMENTS)
    with closing(sqlite3.connect(path)) as connection, connection, suppress(sqlite3.Error):
        connection.execute(statement)
    return f"schema: {statement}"
