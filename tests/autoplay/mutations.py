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

PAGE = 4096
VALUES: tuple[object, ...] = (
    *(None, "", "0", "[]", "{}", "null", "true", "x", "\x1b[2J", "NaN", "1e999", "-1e999"),
    *("[[[[", '{"a":', '"\\ud800"', b"", b"\xff\xfe", b"{}", 0, 1, -1, 0.5, 1e300, float("inf")),
    *(2**31, -(2**31), 2**53, 2**63 - 1, -(2**63), "[" * 2000, "9" * 400),
    *("A", "X", "void", "forfeit: A (X): ", "2026"),
)
NODES: tuple[object, ...] = (
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


def mutate(path: Path, lots: Random) -> str:
    """Damage the file; return a description, so that a failure can be reproduced."""
    kind = lots.choice([_bytes, _cell, _cell, _document, _document, _document, _schema])
    try:
        return kind(path, lots)
    except (sqlite3.Error, ValueError, IndexError) as error:  # already damaged or truncated
        return f"{kind.__name__}: {error!a}"


def _bytes(path: Path, lots: Random) -> str:
    data = bytearray(path.read_bytes())
    kind = lots.choice(["flip", "flip", "truncate", "zero", "swap", "header", "text"])
    if kind in {"flip", "header"}:
        room = 100 if kind == "header" else len(data)
        for _ in range(lots.choice([1, 1, 4, 40])):
            data[lots.randrange(room)] = lots.randrange(256)
    elif kind == "truncate":
        del data[lots.randrange(len(data)) :]
    elif kind == "text":  # in stored values instead of the structure of the file
        texts = [at for at in range(len(data)) if 32 < data[at] < 127]
        for _ in range(lots.choice([1, 3, 10])):
            data[lots.choice(texts)] = lots.choice(b'0"[]{},:eE-+\x00\x7f\xff9')
    else:
        pages = len(data) // PAGE
        one, other = (lots.randrange(pages) * PAGE for _ in range(2))
        first = bytes(data[one : one + PAGE])
        data[one : one + PAGE] = bytes(PAGE) if kind == "zero" else data[other : other + PAGE]
        if kind == "swap":
            data[other : other + PAGE] = first
    path.write_bytes(data)
    return f"bytes: {kind}"


def _without_constraints(connection: sqlite3.Connection) -> None:
    """Remove types and constraints, so that any cell accepts any value."""
    for table in ("games", "match"):
        columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _place(connection: sqlite3.Connection, lots: Random) -> tuple[str, int, str, object]:
    table = lots.choice(["games", "match", "match"])
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    column = lots.choice(columns if table == "games" else ["value"] * 9 + ["key"])
    number, value = lots.choice(
        connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
    )
    return table, number, column, value


def _cell(path: Path, lots: Random) -> str:
    with closing(sqlite3.connect(path)) as connection, connection:
        _without_constraints(connection)
        table, number, column, _ = _place(connection, lots)
        value = lots.choice(VALUES)
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, number))
    return f"cell: {table} {number} {column} = {value!a:.80}"


def _document(path: Path, lots: Random) -> str:
    """Change one value somewhere in a JSON document."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for _ in range(50):
            table, number, column, text = _place(connection, lots)
            with suppress(ValueError, TypeError):
                tree = [json.loads(text)]  # type: ignore[arg-type]  # the error is expected
                told = _change(tree, lots)
                changed = json.dumps(tree[0]) if tree else ""
                sets = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
                connection.execute(sets, (changed, number))
                return f"document: {table} {number} {column}: {told}"
    return "document: none"


def _change(tree: list[Any], lots: Random) -> str:
    holders: list[tuple[Any, Any]] = []

    def walk(holder: Any) -> None:  # noqa: ANN401 - JSON
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            holders.append((holder, key))
            if isinstance(holder[key], dict | list):
                walk(holder[key])

    walk(tree)
    holder, key = lots.choice(holders)
    kind = lots.choice(["set", "set", "set", "delete", "double", "rename"])
    if kind == "delete":
        del holder[key]
    elif kind == "double" and isinstance(holder, list):
        holder.append(holder[key])
    elif kind == "rename" and isinstance(holder, dict):
        holder[lots.choice(["", "x", "\x1b"])] = holder.pop(key)
    else:
        holder[key] = lots.choice(NODES)
        return f"{key!a} = {holder[key]!a:.80}"
    return f"{kind} {key!a}"


def _schema(path: Path, lots: Random) -> str:
    statement = lots.choice(STATEMENTS)
    with closing(sqlite3.connect(path)) as connection, connection, suppress(sqlite3.Error):
        connection.execute(statement)
    return f"schema: {statement}"
