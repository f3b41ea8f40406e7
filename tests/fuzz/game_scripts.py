"""Random games whose words depend on each other in ways that their code hides.

Owns the generator of the scripts.  Move words read what other words of the list, hooks and earlier
lists have left: by address arithmetic, computed tokens, DOES>, tables of tokens, PAD, and memory
above HERE, some of it only from some turn on.  They also read what earlier moves have left when
they were made, and what generating the lists of earlier steps has left where partial moves follow
each other.  Hooks read lists in part: by the library's words, by cells and bytes of the header, and
by MOVE.  The games have priorities, passes, drops, frames of `$CatchExit`, OnMovesGenerated, and
two or three players.
"""

from __future__ import annotations

from random import Random

from tests.engines import random_addresses

__all__ = ["script"]

WORDS = """
: cell: <BUILDS 0 , DOES> ;            cell: kept  cell: beside
: counter: <BUILDS 0 , DOES> DUP ++ @ ;   counter: count
: from-u ( -- n ) u @ ;   : from-w ( -- n ) w @ ;   : from-pad ( -- n ) PAD @ ;
CREATE tokens ' from-u , ' from-w , ' from-pad ,
: by-token ( n -- n ) 3 MOD ABS CELLS tokens + @ EXECUTE ;
VARIABLE rule   ' from-u rule !
DEFER chosen    ' from-u IS chosen
: odd? ( -- ) u @ 1 AND verify ;   : counted? ( -- ) w ++ w @ 3 MOD verify ;
: set-u ( n -- ) u ! ;   : set-w ( n -- ) w ! ;   : add-sum ( n -- ) sum +! ;
: count-u ( -- ) u ++ ;  : set-kept ( n -- ) kept ! ;   : set-pad ( n -- ) PAD ! ;
: set-rule ( n -- ) 1 AND IF ['] from-w ELSE ['] from-u ENDIF rule ! ;
: set-chosen ( n -- ) 1 AND IF ['] from-w ELSE ['] from-pad ENDIF IS chosen ;
: note-list ( -- ) move-count w ! ;   : note-step ( -- ) $partial @ of-type + u ! ;
"""
REPORTS = """
VARIABLE made
: print-move ( from here -- )
  made ++ made @ 48 + EMIT turn-number 48 + EMIT SWAP 48 + EMIT 48 + EMIT ;
: report ( -- ) from COMPILE-LITERAL here COMPILE-LITERAL COMPILE print-move ;
"""
"""The moves of a game print four characters when they are made: see `moves_of_games`."""

STORES = ("%s u !", "%s u !", "%s w !", "%s 1 a[] !", "%s DROP u ++")
HIDDEN_STORES = (
    "%s kept !",
    "%s kept 4 + !",
    "%s PAD !",
    "%s PAD C!",
    "%s HERE 2000 + !",
    "%s sum !",
    "%s DROP u w 1 MOVE",
    "%s 1 AND IF ['] from-w ELSE ['] from-u ENDIF rule !",
    "%s 1 AND IF ['] from-w ELSE ['] from-pad ENDIF IS chosen",
    "%s DROP count 64 MOD w !",
)
"""Each stores a number in some way; in those that are hidden, the code does not say where."""

MADE_STORES = (
    "%s COMPILE-LITERAL COMPILE set-u",
    "%s COMPILE-LITERAL COMPILE set-w",
    "%s COMPILE-LITERAL COMPILE add-sum",
    "%s DROP COMPILE count-u",
)
HIDDEN_MADE_STORES = (
    "%s COMPILE-LITERAL u COMPILE-LITERAL COMPILE !",
    "%s COMPILE-LITERAL ['] set-w ,",
    "%s COMPILE-LITERAL COMPILE set-kept",
    "%s COMPILE-LITERAL COMPILE set-pad",
    "%s COMPILE-LITERAL COMPILE set-rule",
    "%s COMPILE-LITERAL COMPILE set-chosen",
    "%s DROP COMPILE note-list",
    "%s DROP COMPILE note-step",
)
"""The same when a move is made."""

CONTINUATIONS = (
    "partial",
    "%d partial-move-type",
    "here 3 MOD 1+ partial-move-type",
    "$partial @ NOT IF partial ENDIF",
    "here 1 AND IF %d partial-move-type ELSE partial ENDIF",
    "%s 1 AND IF partial ENDIF",
    "%s 3 AND partial-move-type",
    "%s 1 AND IF partial ELSE %d partial-move-type ENDIF",
)
"""Each makes a move partial, perhaps."""
STEP_READS = ("$partial @", "of-type", "$lastMoveType @", "$partial @ IF u @ ELSE w @ ENDIF")
"""Each pushes a number that depends on the step of a sequence of partial moves."""

READS = ("u @", "w @", "1 a[] @", "here", "from 3 *")
HIDDEN_READS = (
    "kept @",
    "beside @",
    "kept 4 + @",
    "PAD @",
    "PAD C@",
    "HERE 2000 + @",
    "sum @",
    "count",
    "here by-token",
    "rule @ EXECUTE",
    "chosen",
    "['] odd? $CatchExit",
    "['] counted? $CatchExit",
)
"""Each pushes a number."""

LIST_READS = (
    "move-count",
    "move-count 1 =",
    "stalemate?",
    "stalemate?",
    "$FirstMove 0=",
    "$FirstMove IF $FirstMove .moveType @ ELSE 0 ENDIF",
    "$FirstMove IF $FirstMove $NextMove 0= ELSE 0 ENDIF",
    "$movesList @ IF $movesList @ 4 + @ ELSE 0 ENDIF",
    "$movesList @ IF $movesList @ 4 + C@ ELSE 0 ENDIF",
    "$movesList @ IF $movesList @ 4 + PAD 1 MOVE PAD @ ELSE 0 ENDIF",
    "next-player FALSE 0 $GenerateMoves move-count $DeallocateMoves",
    "next-player FALSE 0 $GenerateMoves stalemate? $DeallocateMoves",
    "next-player TRUE 0 $GenerateMoves move-count $DeallocateMoves",
    "current-piece",
    "$passed @",
    "$partial @",
    "of-type",
    "$lastMoveType @",
)
"""The same in hooks, from a list or from what generation leaves."""


GAME = """
{board %(rows)d %(columns)d {grid} {variable} sum 3 {array} counter[] 6 {carray} flag[] board}
{directions 0 1 {direction} right 1 0 {direction} down -1 0 {direction} up directions}
{players %(players)s players}
{turn-order %(turns)s turn-order}
%(memory)s
%(words)s
%(pointer)s pointer !
%(directives)s
: step ( -- ) right verify empty? verify %(step)s from here move %(step_made)s %(report)s add-move ;
: fall ( -- ) down verify enemy? empty? OR verify from here move %(fall)s %(fall_made)s
  %(report)s add-move ;
: hop ( -- ) right verify enemy? verify here right verify empty? verify %(hop)s from here move
  capture-at %(hop_made)s %(report)s add-move ;
: climb ( -- ) %(climb)s up verify empty? verify from here move %(report)s add-move down verify down
  verify empty? verify from here move %(climb_made)s %(report)s add-move ;
: wait ( -- ) %(wait)s %(pass)s ;
: put ( -- ) %(put)s here 3 MOD 0= verify drop %(report)s add-move ;
{moves steps {move} step {move-type} first {move} fall {move-type} second moves}
{moves others {move} climb {move-type} second {move} step {move-type} first %(hops)s %(waits)s
moves}
{moves puts {move} put {move-type} third moves}
%(priorities)s
{pieces {piece} man {moves} steps {piece} lady {moves} others {piece} disc %(drops)s pieces}
{board-setup %(setup)s board-setup}
: OnEvaluate ( -- n ) %(evaluation)s ;
: OnIsGameOver ( -- n )
  %(over)s
  turn-number %(last)d > IF #DrawScore ELSE %(result)s ENDIF ;
%(hooks)s
"""
PLAYERS = ("White", "Black", "Red")


class _Code:
    """Random code of one game, which uses few of the hidden ways to find memory."""

    def __init__(self, rng: Random) -> None:
        hidden = rng.choice((0, 0, 1, 2))
        self._rng = rng
        self._stores = STORES + tuple(rng.sample(HIDDEN_STORES, hidden))
        self._reads = READS + tuple(rng.sample(HIDDEN_READS, hidden))
        self._made_stores = MADE_STORES + tuple(rng.sample(HIDDEN_MADE_STORES, hidden))
        self.has_steps = rng.random() < 0.5  # partial moves
        self._made = rng.random() < (0.5 if self.has_steps else 0.2)  # making moves stores numbers
        if self.has_steps:
            self._reads += tuple(rng.sample(STEP_READS, 2))
        self._list_reads = tuple(rng.sample(LIST_READS, 2))
        self._computed = rng.random() < 0.1  # addresses are computed

    def late(self, code: str) -> str:
        """Return code, perhaps for some turns or positions only."""
        condition = self._rng.choice(
            ("", "", "", "turn-number 2 >", "turn-number 2 =", "here 1 AND")
        )
        return f"{condition} IF {code} ENDIF" if condition else code

    def store(self) -> str:
        """Return code that stores a number."""
        value = self._rng.choice(("here 1+", "from here * 7 AND", "u @ 1+ 15 AND", "5", "0"))
        if self._computed:
            return self.late(random_addresses.store(self._rng, value))
        return self.late(self._rng.choice(self._stores) % value)

    def read(self, *, in_hook: bool = False) -> str:
        """Return code that pushes a number from 0 to 255."""
        if self._computed and self._rng.random() < 0.5:
            return random_addresses.read(self._rng)
        forms = self._reads
        if in_hook and self._rng.random() < 0.6:
            forms = self._list_reads
        return f"{self._rng.choice(forms)} 255 AND"

    def statements(self, most: int) -> str:
        """Return code of a move word: stores, and conditions that depend on memory."""
        code = [
            self.store() if self._rng.random() < 0.6 else f"{self.read()} 3 MOD verify"
            for _ in range(self._rng.randrange(most + 1))
        ]
        return " ".join(code)

    def made(self, *, continues: bool = True) -> str:
        """Return code that appends to a move: stores when it is made, and whether it is partial."""
        code = ""
        if self._made and self._rng.random() < 0.6:
            value = self._rng.choice(("here 1+", "from here * 7 AND", "u @ 1+ 15 AND", "w @ 1+"))
            code = self.late(self._rng.choice(self._made_stores) % value)
        if self.has_steps and continues and self._rng.random() < 0.8:
            form = self._rng.choice(CONTINUATIONS)
            form = form.replace("%d", str(self._rng.randint(1, 3)))
            code += " " + self.late(form.replace("%s", self.read()))
        return code

    def hooks(self) -> str:
        """Return hooks of generation and turns."""
        hooks = []
        if self._rng.random() < 0.15:
            hooks.append(f": OnGenerateMoves ( -- ) {self.store()} ;")
        if self._rng.random() < 0.15:
            lists = "next-player FALSE 0 $GenerateMoves $DeallocateMoves"
            code = self.store() if self._rng.random() < 0.8 else self.late(lists)
            hooks.append(f": OnNextTurn ( -- ) {code} OnNextTurn ;")
        if self._rng.random() < 0.05:
            hooks.append(f": OnRetractMove ( -- ) {self.store()} ;")
        if self._rng.random() < 0.1:
            condition = self._rng.choice(("turn-number 1 >", f"{self.read(in_hook=True)} 2 MOD"))
            hooks.append(
                f": OnMovesGenerated ( -- ) {condition} IF $FirstMove IF $FirstMove $RemoveMove"
                " ENDIF ENDIF ;"
            )
        if self._rng.random() < 0.1:
            hooks.append(f": OnIsTerminal? ( -- ? ) {self.read(in_hook=True)} 2 MOD 0= ;")
        return "\n".join(hooks)


def moves_of_games(printed: str) -> list[list[str]]:
    """Return the moves of each game that moves with reports have printed: turn, from, to."""
    games: list[list[str]] = []
    last = ""
    for at in range(0, len(printed), 4):
        made, move = printed[at], printed[at + 1 : at + 4]
        if made <= last or not games:  # the number of moves begins anew
            games.append([])
        games[-1].append(move)
        last = made
    return games


def script(seed: int, *, reports: bool = False) -> str:
    """Return a script.

    Args:
        seed: Scripts with different seeds differ.
        reports: Moves print what they are when they are made, passes do not.
    """
    rng = Random(seed)
    rows, columns = rng.choice(((3, 4), (4, 4), (4, 3)))
    squares = [f"{chr(97 + x)}{y + 1}" for y in range(rows) for x in range(columns)]
    players = PLAYERS[: rng.choice((2, 2, 3))]
    owners = [player for player in players for _ in range(6 // len(players))]
    types = rng.sample(("first", "second", "third"), rng.choice((2, 3)))
    ranks = " ".join(f"{{move-priority}} {each}" for each in types)
    code = _Code(rng)
    values = [code.read(in_hook=True) for _ in range(rng.randrange(3))]
    test = f"{code.read(in_hook=True)} 97 = IF #LossScore ELSE #UnknownScore ENDIF"
    return GAME % {
        "rows": rows,
        "columns": columns,
        "players": " ".join(f"{{player}} {player}" for player in players),
        "turns": " ".join(f"{{turn}} {player}" for player in players),
        "memory": "\n".join(rng.sample(random_addresses.MEMORY, len(random_addresses.MEMORY))),
        "words": random_addresses.WORDS + WORDS + (REPORTS if reports else ""),
        "report": "report" if reports else "",
        "pointer": rng.choice(("u", "t t>u CELLS +")),
        "step": code.statements(2),
        "fall": code.statements(1),
        "climb": code.statements(2),
        "hop": code.statements(1),
        "step_made": code.made(),
        "fall_made": code.made(),
        "hop_made": code.made(),
        "climb_made": code.made(continues=False),  # men that climb and fall never end a sequence
        "directives": "\n".join(
            line
            for line, chance in (("$combinePartial OFF", 0.25), ("$passTurnForced ON", 0.1))
            if code.has_steps and rng.random() < chance
        ),
        "wait": f"{code.read()} 2 MOD verify",
        "hops": "{move} hop {move-type} third" if code.has_steps else "",
        "pass": "PassNoPartial" if code.has_steps and rng.random() < 0.5 else "Pass",
        "waits": rng.choice(("", "", "{move} wait {move-type} third")),
        "put": rng.choice(("empty? verify", f"{code.store()} empty? verify")),
        "priorities": rng.choice(("", "", f"{{move-priorities {ranks} move-priorities}}")),
        "drops": rng.choice(("", "", "{drops} puts")),
        "setup": " ".join(
            f"{{setup}} {owner} {rng.choice(('man', 'lady'))} {square}"
            for owner, square in zip(owners, rng.sample(squares, len(owners)), strict=True)
        ),
        "evaluation": " ".join(["5", *(f"{value} +" for value in values)]),
        "over": rng.choice(("", "", code.store())),
        "last": rng.choice((4, 6, 30)),
        "result": rng.choice(
            ("#UnknownScore", "stalemate? IF #LossScore ELSE #UnknownScore ENDIF", test)
        ),
        "hooks": code.hooks(),
    }
