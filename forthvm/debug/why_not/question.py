"""The query `why_not`: why a move is not in the list.

Owns the order of the checks and the choice of the answer.  Refusing decisions are never guessed:
an answer names decisions only if the move was generated after they were inverted (search.py).  It
must not know how an answer is displayed (author_text.py, player_text.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError, MoveError, TimeLimitExceeded
from forthvm.core.text.advice import advice
from forthvm.core.text.wording import counted
from forthvm.debug.generation.traced_generation import PASSES, traced_generation
from forthvm.debug.time_limit import DEFAULT_SECONDS, TimeLimit
from forthvm.game.arguments import check_text
from forthvm.game.move_text.matching import close_moves, refuse_long
from forthvm.game.position import check_position

from .answers import Answers
from .refusals import Answer, Caller, Refusal, WhyNot
from .search import MAX_TRIALS, Search
from .wanted_move import Goal, Likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.debug.generation.traced_generation import Generation, TracedGeneration
    from forthvm.game import Game, Position

__all__ = ["Answer", "Caller", "Refusal", "WhyNot", "why_not"]

_SHOWN = 8
_FEW_TRIALS = 60


def why_not(pos: Position, text: str, *, seconds: float = DEFAULT_SECONDS) -> WhyNot:
    """Explain why a move is not legal in a position.

    The generation of moves is repeated with inverted decisions until the move appears: the
    decisions that had to be inverted refused it.  Up to six decisions are combined, in as many
    generations as take about a second in most games.  The answer is deterministic unless the time
    limit ends the query.  The position is not changed.

    Args:
        pos: The position.
        text: The move as a move text, or as users type it (`a2 a4`).
        seconds: The time limit of the query, after which the answer lists what was tried; 0 for
            no limit.

    Raises:
        ForthVMError: the script fails while it generates moves or computes the result.
    """
    check_position(pos, "why_not")
    check_text(text, "why_not")
    limit = TimeLimit(seconds)
    question = _Question(pos, text, limit)
    with limit.applied(pos.game.vm.native):
        try:
            return question.answer()
        except TimeLimitExceeded as error:
            if not limit.is_over:
                raise
            return question.out_of_time(error)


class _Question:
    """One query with its intermediate results."""

    def __init__(self, position: Position, text: str, limit: TimeLimit) -> None:
        self.position = position
        self.game: Game = position.game
        self.text = " ".join(text.split())
        self.limit = limit
        self.legal: Sequence[str] = ()
        self.listed = False
        self.searches: list[Search] = []

    def answer(self) -> WhyNot:
        self.legal = self.position.legal_moves.texts
        if self.text not in self.legal:
            refuse_long(self.text)
        self.goal = Goal(self.game, self.text, self.legal)
        over = self._over()
        self.listed = True
        if over is None:
            return self._in_play()
        if self.legal:
            return over
        # An error in a move word may have ended the game by leaving no moves: explain the error.
        found = self._in_play()
        if not found.answers:
            return over
        summary = f"{over.summary}, since there is no move: {found.summary}"
        return found.replace(kind="over", summary=summary, place=over.place)

    def _in_play(self) -> WhyNot:
        found = self._if_parsed() or self._by_pieces()
        if found is not None:
            return found
        with traced_generation(self.position, self.limit) as traced:
            self.traced: TracedGeneration = traced
            self.answers = Answers(traced)
            generation = traced.generate()
            self.goal = Goal(self.game, self.text, (*self.legal, *generation.moves))
            return self._by_names() or self._by_generation(generation)

    def out_of_time(self, error: TimeLimitExceeded) -> WhyNot:
        """Return the answer if the time limit ended a run of the script."""
        more = advice(python="seconds=…", command_line="--time N")
        stopped = f"stopped after {self.limit.seconds:g} s (more: {more})"
        if not self.listed:
            what = "the script was still generating the moves, or deciding whether the game is over"
            return self.result_of("undecided", f"{stopped}: {what}", place=error.location)
        return self.result_of(
            "undecided",
            f"the move is not legal; {stopped}, before the reason was found: {self._effort()}",
            tried=self._tried(),
            place=error.location,
        )

    def _effort(self) -> str:
        were = "was" if self.trials == 1 else "were"
        return f"{counted(self.trials, 'generation')} {were} tried with inverted decisions"

    def _tried(self) -> tuple[str, ...]:
        """Return the decisions that were inverted, as texts."""
        records = {ip: record for search in self.searches for ip, record in search.tried.items()}
        found = []
        for record in list(records.values())[:_SHOWN]:
            cell, condition = (
                self.traced.places.cell(record.ip),
                self.traced.places.condition(record.ip),
            )
            kind = "verify" if record.word in self.traced.verify else cell.written
            where = f" ({cell.place})" if cell.place is not None else ""
            found.append(f"`{condition} {kind}`".replace("` ", "`") + where)
        more = len(records) - len(found)
        return (*found, f"{more} more") if more > 0 else tuple(found)

    @property
    def trials(self) -> int:
        """The number of generations with inverted decisions so far."""
        return sum(search.trials for search in self.searches)

    def result_of(self, kind: str, summary: str, **more: object) -> WhyNot:
        """Return the answer of a kind, with similar moves unless `more` has them."""
        position = self.position
        answer = WhyNot(
            self.game.name, position.turn, position.ply, self.text, kind, summary
        ).replace(trials=self.trials, **more)
        if "near" in more:
            return answer
        return answer.replace(near=tuple(close_moves(self.text, self.legal)))

    # --- checks without tracing the script --------------------------------------------------

    def _over(self) -> WhyNot | None:
        result = self.position.result
        if result is None:
            return None
        word = "OnIsGameOver"
        code = _codes(self.game).get(result.code, str(result.code))
        place = self.game.vm.locate(word) if self.game.vm.find(word) else None
        listed = "; the move is still in the list" if self.text in self.legal else ""
        return self.result_of(
            "over",
            f"the game is over: {result} ({word} answers {code}){listed}",
            place=place,
        )

    def _if_parsed(self) -> WhyNot | None:
        position = self.position
        if not self.legal and self.text.casefold() == "pass":
            return self.result_of("legal", f"{position.turn} has no move, so a pass is taken")
        try:
            move = position.parse(self.text).text
        except AmbiguousMoveError as error:
            return self.result_of("ambiguous", str(error), near=tuple(error.hints))
        except MoveError:
            return None
        means = "" if move == self.text else f": it means `{move}`"
        return self.result_of("legal", f"`{self.text}` is legal{means}", near=(move,))

    def _by_names(self) -> WhyNot | None:
        """Return the answer if the text has unknown names."""
        goal, game = self.goal, self.game
        known = goal.squares or goal.named or self.text.casefold().startswith(("pass", "partial"))
        if goal.says_nothing or (not known and goal.unknown):
            what = f"`{self.text}` is not a move" if self.text else "an empty text is not a move"
            hint = goal.near_names(game)
            return self.result_of(
                "not-a-move", f"{what} of {game.name}" + (f"; {hint}" if hint else "")
            )
        if goal.unknown:
            names = ", ".join(f"`{word}`" for word in goal.unknown)
            verb = "is" if len(goal.unknown) == 1 else "are"
            hint = goal.near_names(game)
            return self.result_of(
                "unknown-name",
                f"{names} {verb} no position, piece or player of {game.name}"
                + (f"; {hint}" if hint else ""),
            )
        return None

    def _by_pieces(self) -> WhyNot | None:
        """Return the answer if the piece named in the text is not on its square."""
        goal = self.goal
        if goal.piece is None:
            return None
        square = goal.squares[0]
        piece = self.position.board[square]
        if piece is None:
            return self.result_of("no-piece", f"there is no {goal.piece} on {square}: it is empty")
        if piece.type != goal.piece:
            return self.result_of(
                "other-piece", f"there is no {goal.piece} on {square}: a {piece} stands there"
            )
        return None

    # --- checks by traced generation ------------------------------------------------------------

    def _by_generation(self, generation: Generation) -> WhyNot:
        listed = self._listed(generation)
        if listed is not None:
            return self.result_of("priority", self._outranked(listed), answers=(listed,))
        free = None
        if self.traced.demanded:
            free = self.traced.generate(any_type=True)
            listed = self._listed(free, any_type=True)
            if listed is not None:
                return self.result_of(
                    "type",
                    f"only moves of type {listed.demanded} are made now: `{listed.move}` is "
                    f"{_of_type(listed.type)}",
                    answers=(listed,),
                )
        search = self._search(generation)
        if not search.found and free is not None:
            wider = self._search(free, any_type=True)
            if wider.found or search.near is None:
                search = wider
        answers = tuple(self.answers.of(found) for found in search.found)
        if answers and answers[0].refusals[0].kind == "verify":
            return self._dropped(generation) or self.result_of(
                "refused", _refused(answers[0]), answers=answers
            )
        unfinished = self._unfinished()
        words = {answer.word for answer in answers}
        if unfinished and unfinished[0].word not in words:
            summary = _not_added(unfinished[0])
            kind = "refused" if unfinished[0].refusals else "not-added"
            return self.result_of(kind, summary, answers=unfinished)
        if answers:  # the word adds the move under a condition
            return self.result_of("refused", _refused(answers[0]), answers=answers)
        return self._without_decisions(generation, search)

    def _dropped(self, generation: Generation) -> WhyNot | None:
        """Return the answer if a move word builds the move but does not add it.

        This answer is preferred to a refusal in another word, and to no answer if the time is up.
        """
        if not self.goal.squares or not self.traced.finish_moves():
            return None
        try:
            listed = self._listed(self.traced.generate())
            if listed is None or listed.word is None:
                return None
            self.traced.unfinish_moves()
            found = self._search(generation, only=listed.word).found
            conditions = tuple(self.answers.of(one) for one in found)
        except TimeLimitExceeded:
            return None
        if conditions:
            return self.result_of("refused", _refused(conditions[0]), answers=conditions)
        forgets = listed.replace(unfinished=True, appears=listed.better is None)
        return self.result_of("not-added", _not_added(forgets), answers=(forgets,))

    def _unfinished(self) -> tuple[Answer, ...]:
        """Return the answers in which a move word builds the move and ends without adding it."""
        if not self.goal.squares or not self.traced.finish_moves():
            return ()
        generation = self.traced.generate()
        listed = self._listed(generation)
        if listed is not None:
            return (listed.replace(unfinished=True, appears=listed.better is None),)
        found = self._search(generation).found
        return tuple(self.answers.of(one).replace(unfinished=True) for one in found)

    def _search(
        self, generation: Generation, *, any_type: bool = False, only: str | None = None
    ) -> Search:
        square = self._empty_start()
        hopeless = square or self._not_yours() or not self._passes_are_possible()
        search = Search(
            self.traced,
            generation,
            self.goal,
            any_type=any_type,
            max_trials=_FEW_TRIALS if hopeless else MAX_TRIALS,
        )
        self.searches.append(search)
        search.run(only)
        return search

    def _passes_are_possible(self) -> bool:
        """Whether the text is not a pass, or some word of the script adds passes."""
        if self.goal.squares or not self.text.casefold().startswith("pass"):
            return True
        words = b"|".join(word.encode() for word in PASSES)
        return any(word in data for _, data in self.game.vm.texts for word in words.split(b"|"))

    def _listed(self, generation: Generation, *, any_type: bool = False) -> Answer | None:
        """Return the answer if priorities or the demanded type exclude the generated move."""
        best = max(generation.moves, key=self.goal.likeness, default="")
        if self.goal.likeness(best) < self.goal.wanted:
            return None
        number = generation.moves.index(best)
        run = next(
            (one for one in generation.runs if one.first <= number < one.first + one.moves), None
        )
        kind = generation.types[number]
        answer = Answer((), best, exact=best == self.text, appears=False)
        return self.answers.with_run(
            run,
            answer.replace(
                type=self.answers.type_name(kind),
                demanded=self.answers.type_name(self.traced.demanded) if any_type else None,
                better=self.answers.better(kind, generation.types),
            ),
        )

    def _outranked(self, answer: Answer) -> str:
        first = f"`{self.legal[0]}`" if self.legal else "another"
        return (
            f"`{answer.move}` is {_of_type(answer.type)}, and moves of type {answer.better} "
            f"come first ({{move-priorities}}): {first}, result_of"
        )

    def _without_decisions(self, generation: Generation, search: Search) -> WhyNot:
        """Return the answer if no inverted decision made the move appear."""
        goal = self.goal
        other = self._not_yours()
        if other is not None:
            return self.result_of("not-yours", other)
        empty = self._empty_start()
        if empty is not None:
            return self.result_of("no-piece", f"there is no piece on {empty}: it is empty")
        alike = [move for move in self.legal if goal.likeness(move) >= Likeness.FIRST]
        if alike:
            return self.result_of(
                "other-effects",
                f"the move that goes this way does something else here: `{alike[0]}`",
                near=tuple(dict.fromkeys(alike))[:_SHOWN],
            )
        if search.near is not None:
            answer = self.answers.of(search.near)
            return self.result_of(
                "other-effects",
                f"{_refused(answer)}; passed over, it is `{answer.move}`, which comes nearest",
                answers=(answer,),
            )
        return self._without_word(generation, search)

    def _empty_start(self) -> str | None:
        """Return the first square of the move, if it is empty and there are no drops."""
        square = self.goal.squares[0] if self.goal.squares else None
        if square is None or self.goal.player is not None or self._has_drops():
            return None
        return square if self.position.board[square] is None else None

    def _without_word(self, generation: Generation, search: Search) -> WhyNot:
        square = self.goal.squares[0] if self.goal.squares else None
        runs = [run for run in generation.runs if self.game.square(run.square) == square]
        words = list(dict.fromkeys(self.traced.places.name(run.word) for run in runs))
        makes = [
            move
            for run in runs
            for move in generation.moves[run.first : run.first + run.moves]
            if move in self.legal
        ]
        near = tuple(dict.fromkeys(makes))[:_SHOWN]
        if square is not None and not runs:
            piece = self.position.board[square]
            what = f"the {piece} on {square}" if piece else f"{square}, which is empty"
            return self.result_of(
                "no-word",
                f"no move word is run for {what}, and none of those for other squares makes "
                "that move",
            )
        if not self._passes_are_possible():
            return self.result_of("no-word", "no word of the script adds a pass")
        ran = f"for {square}: {_some(words)}" if square is not None else _some(words)
        if search.verified and not self.limit.is_over:
            rest = (
                "nor other decisions"
                if search.complete
                else f"nor other decisions, as far as {self.trials} generations can try them"
            )
            return self.result_of(
                "unreachable",
                f"no move word makes that move ({ran}): no `verify` refuses it, {rest}",
                near=near,
            )
        self.limit.check()
        return self.result_of(
            "undecided",
            f"not found within {self.trials} generations with inverted decisions ({ran})",
            near=near,
            tried=self._tried(),
        )

    def _not_yours(self) -> str | None:
        """Return a text that names the owner of the piece, if this player is not to move."""
        goal, position = self.goal, self.position
        game = self.game
        mover = game.turn_order[position.turn_index].for_player
        turn = f"it is {position.turn}'s turn"
        if goal.player is not None:
            if goal.player in (mover, position.turn) or goal.player not in game.contestants:
                return None
            return f"{goal.player} is not to move: {turn}"
        piece = position.board[goal.squares[0]] if goal.squares else None
        if piece is None or piece.player in (mover, position.turn):
            return None
        return f"the {piece.type} on {goal.squares[0]} belongs to {piece.player}: {turn}"

    def _has_drops(self) -> bool:
        return any(listing.drops for listing in self.traced.lists)


def _refused(answer: Answer) -> str:
    first = answer.refusals[0]
    count = len(answer.refusals)
    what = f"`{first.condition} {first.kind}`" if first.condition else f"a `{first.kind}`"
    where = f" in `{first.word}`" if first.word else ""
    more = f" (and {count - 1} more in a row)" if count > 1 else ""
    return f"{what}{where} refuses it{more}"


def _not_added(answer: Answer) -> str:
    forgets = f"`{answer.word}` builds `{answer.move}` and ends without `add-move`"
    if not answer.refusals:
        return forgets
    return f"{_refused(answer)}; then {forgets}"


def _of_type(name: str | None) -> str:
    return f"of type {name}" if name else "of no type"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} …" if len(names) > _SHOWN else shown


def _codes(game: Game) -> dict[int, str]:
    """Return the library's names of the codes of OnIsGameOver."""
    found = {}
    for name in ("#LossScore", "#DrawScore", "#WinScore", "#UnknownScore"):
        token = game.vm.find(name)
        if token is not None:
            found[game.vm.native.read_cell(game.vm.native.body(token))] = name
    return found
