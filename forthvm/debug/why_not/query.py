"""The query `why_not`: why a move is not in the list.

Owns the order of the checks and the choice of the result.  A result can have several answers; an
answer names decisions whose inversion generated the move (search.py).  author_text.py and
player_text.py display a result.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from forthvm.core.arguments import check_text
from forthvm.core.errors import AmbiguousMoveError, MoveError, TimeLimitExceeded
from forthvm.core.text.advice import advice
from forthvm.core.text.wording import counted
from forthvm.debug.generation.time_limit import DEFAULT_SECONDS, TimeLimit
from forthvm.debug.generation.traced_generation import FILTER, GUARDS, PASSES, traced_generation
from forthvm.game.matching import close_moves, refuse_long
from forthvm.game.position import check_position

from .answers import Answers
from .board_facts import board_fact
from .refusals import Answer, Caller, Refusal, WhyNot
from .requested_move import RequestedMove, Similarity
from .search import MAX_TRIALS, Search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.debug.generation.traced_generation import Generation, TracedGeneration
    from forthvm.game import Game, Position

__all__ = ["Answer", "Caller", "Refusal", "WhyNot", "why_not"]

_MAX_SHOWN = 8
_REASONS_OF_FILTERS = {
    "z-keep-ranked": "other moves come first (`move-priorities`)",
    "z-remove-shorter": "other moves capture more (`maximal captures`)",
    "z-keep-stop": "the series of parts must go on",
}
"""Why words of the library take moves out of the lists of rule files."""
_FEW_TRIALS = 60
"""The maximum number of trials if inverted decisions will probably not generate the move."""


def why_not(pos: Position, text: str, *, seconds: float = DEFAULT_SECONDS) -> WhyNot:
    """Explain why a move is not legal in a position.

    The generation of moves is repeated with inverted decisions until the move is added: the
    decisions that had to be inverted refused the move.  Up to six decisions are combined.  The
    number of generations is limited; in most games the limit corresponds to about a second.  The
    result is deterministic unless the time limit ends the query.  The position is not changed.

    Args:
        pos: The position.
        text: The move text, which may be abbreviated (`a2 a4`).
        seconds: The time limit of the query, after which the result lists the tried decisions; 0
            for no limit.

    Raises:
        ForthVMError: the script fails while it generates moves or computes the result.
    """
    check_position(pos, "why_not")
    check_text(text, "why_not")
    limit = TimeLimit(seconds)
    query = _Query(pos, text, limit)
    with limit.applied(pos.game._loaded.vm.native):
        try:
            return query.result()
        except TimeLimitExceeded as error:
            if not limit.is_over:
                raise
            return query.out_of_time(error)


class _Query:
    """One query with its intermediate results."""

    def __init__(self, position: Position, text: str, limit: TimeLimit) -> None:
        self.position = position
        self.game: Game = position.game
        self.text = " ".join(text.split())
        self.limit = limit
        self.legal: Sequence[str] = ()
        self.has_list_and_result = False
        self.searches: list[Search] = []

    def result(self) -> WhyNot:
        self.legal = self.position.generated_moves.texts
        if self.text not in self.legal:
            refuse_long(self.text)
        self.requested = RequestedMove(self.position, self.text, self.legal)
        over_result = self._result_if_over()
        self.has_list_and_result = True
        if over_result is None:
            return self._result_unless_over()
        if self.legal:
            return over_result
        # A mistake in a move word may have ended the game, because there is no move.
        move_result = self._result_unless_over()
        if not move_result.answers:
            return over_result
        summary = f"{over_result.summary}, since there is no move: {move_result.summary}"
        return replace(move_result, kind="over", summary=summary, location=over_result.location)

    def _result_unless_over(self) -> WhyNot:
        result = self._result_if_parsed() or self._result_by_pieces()
        if result is not None:
            return result
        with traced_generation(self.position, self.limit) as traced:
            self.traced: TracedGeneration = traced
            self.answers = Answers(traced)
            generation = traced.generate()
            self.requested = RequestedMove(
                self.position, self.text, (*self.legal, *generation.moves)
            )
            return self._result_by_names() or self._result_by_generation(generation)

    def out_of_time(self, error: TimeLimitExceeded) -> WhyNot:
        """Return the result if the time limit ended the query."""
        time_option = advice(python="seconds=…", command_line="--time N")
        stopped = f"stopped after {self.limit.seconds:g} s (for more time: {time_option})"
        if not self.has_list_and_result:
            state = (
                "the script was still generating the moves, or deciding whether the game is over"
            )
            return self.make_result("undecided", f"{stopped}: {state}", location=error.location)
        return self.make_result(
            "undecided",
            f"the move is not legal; {stopped}, before the reason was found: {self._effort()}",
            tried=self._tried_decisions(),
            location=error.location,
        )

    def _effort(self) -> str:
        verb = "was" if self.trials == 1 else "were"
        return f"{counted(self.trials, 'generation')} {verb} tried with inverted decisions"

    def _tried_decisions(self) -> tuple[str, ...]:
        """Return the decisions that were inverted, as texts."""
        records = {ip: record for search in self.searches for ip, record in search.tried.items()}
        texts = []
        for record in list(records.values())[:_MAX_SHOWN]:
            cell = self.traced.source_cells.cell(record.ip)
            condition = self.traced.source_cells.condition(record.ip)
            kind = "verify" if record.word in self.traced.verify_words else cell.source_token
            where = f" ({cell.location})" if cell.location is not None else ""
            texts.append(f"`{condition} {kind}`".replace("` ", "`") + where)
        hidden = len(records) - len(texts)
        return (*texts, f"{hidden} more") if hidden > 0 else tuple(texts)

    @property
    def trials(self) -> int:
        """The number of generations with inverted decisions so far."""
        return sum(search.trials for search in self.searches)

    def make_result(self, kind: str, summary: str, **fields: Any) -> WhyNot:  # noqa: ANN401 - of any field
        """Return a result; add similar legal moves unless `fields` contains `near`."""
        position = self.position
        result = replace(
            WhyNot(self.game.name, position.turn, position.ply, self.text, kind, summary),
            trials=self.trials,
            **fields,
        )
        if "near" in fields:
            return result
        return replace(result, near=tuple(close_moves(self.text, self.legal)))

    # --- checks without tracing the script --------------------------------------------------

    def _result_if_over(self) -> WhyNot | None:
        """Return the result if the game is over."""
        outcome = self.position.result
        if outcome is None:
            return None
        word = "OnIsGameOver"
        code = _result_code_names(self.game).get(outcome.code, str(outcome.code))
        location = self.game._loaded.vm.locate(word) if self.game._loaded.vm.find(word) else None
        listed = "; the move is still in the list" if self.text in self.legal else ""
        return self.make_result(
            "over",
            f"the game is over: {outcome} ({word} returns {code}){listed}",
            location=location,
        )

    def _result_if_parsed(self) -> WhyNot | None:
        """Return the result if the text names a legal move, or several."""
        position = self.position
        if not self.legal and self.text.casefold() == "pass":
            return self.make_result("legal", f"{position.turn} has no move, so a pass is made")
        try:
            move = position.generated_moves.find(self.text).text
        except AmbiguousMoveError as error:
            return self.make_result("ambiguous", str(error), near=tuple(error.hints))
        except MoveError:
            return None
        means = "" if move == self.text else f": it means `{move}`"
        return self.make_result("legal", f"`{self.text}` is legal{means}", near=(move,))

    def _result_by_names(self) -> WhyNot | None:
        """Return the result if the text is not a move of the game or has unknown names."""
        requested, game = self.requested, self.game
        has_names = (
            requested.squares
            or requested.has_names
            or self.text.casefold().startswith(("pass", "partial"))
        )
        if requested.lacks_content or (not has_names and requested.unknown):
            text = f"`{self.text}`" if self.text else "an empty text"
            hint = requested.name_suggestion(game)
            return self.make_result(
                "not-a-move", f"{text} is not a move of {game.name}" + (f"; {hint}" if hint else "")
            )
        if requested.unknown:
            names = ", ".join(f"`{word}`" for word in requested.unknown)
            verb = "is" if len(requested.unknown) == 1 else "are"
            hint = requested.name_suggestion(game)
            return self.make_result(
                "unknown-name",
                f"{names} {verb} no position, piece or player of {game.name}"
                + (f"; {hint}" if hint else ""),
            )
        return None

    def _result_by_pieces(self) -> WhyNot | None:
        """Return the result if the piece named in the text is not on its square."""
        requested = self.requested
        if requested.piece is None:
            return None
        square = requested.squares[0]
        piece = self.position.board[square]
        wanted = f"{requested.owner} {requested.piece}" if requested.owner else requested.piece
        if piece is None:
            return self.make_result("no-piece", f"there is no {wanted} on {square}: it is empty")
        if piece.type != requested.piece or requested.owner not in (None, piece.player):
            return self.make_result(
                "other-piece",
                f"there is no {wanted} on {square}: the square has a {piece}",
            )
        return None

    # --- checks by traced generation ------------------------------------------------------------

    def _result_by_generation(self, generation: Generation) -> WhyNot:
        """Return the result that follows from a traced generation."""
        excluded = self._most_similar(generation)
        if excluded is not None:
            return self._result_if_removed(excluded, generation) or self._outranked(excluded)
        of_any_type = None
        if self.traced.demanded_type:
            of_any_type = self.traced.generate(any_type=True)
            excluded = self._most_similar(of_any_type, any_type=True)
            if excluded is not None:
                return self.make_result(
                    "type",
                    f"only moves of type {excluded.demanded} are made now: `{excluded.move}` is "
                    f"{_of_type(excluded.type)}",
                    answers=(excluded,),
                )
        search = self._search(generation)
        if not search.solutions and of_any_type is not None:
            wider = self._search(of_any_type, any_type=True)
            if wider.solutions or search.similar_solution is None:
                search = wider
        answers = tuple(self.answers.from_solution(solution) for solution in search.solutions)
        if answers and answers[0].refusals[0].kind == "verify":
            return self._result_if_never_added(generation) or self.make_result(
                "refused", self._refused(answers[0]), answers=answers
            )
        unfinished = self._unfinished()
        words = {answer.word for answer in answers}
        if unfinished and unfinished[0].word not in words:
            summary = self._not_added(unfinished[0])
            kind = "refused" if unfinished[0].refusals else "not-added"
            return self.make_result(kind, summary, answers=unfinished)
        # A word in `answers` can also be unfinished: its refusing decision precedes `add-move`.
        if answers:
            return self.make_result("refused", self._refused(answers[0]), answers=answers)
        return self._without_decisions(generation, search)

    def _result_if_removed(self, excluded: Answer, generation: Generation) -> WhyNot | None:
        """Return the result if OnMovesGenerated removes a generated move from the list."""
        removals = self.traced.removals() if self.game._loaded.vm.find(FILTER) is not None else {}
        removal = removals.get(generation.addresses[generation.moves.index(excluded.move)])
        if removal is None:
            return None
        cell = self.traced.source_cells.cell(removal.ip)
        reason = _REASONS_OF_FILTERS.get(cell.word or "") if cell.library else None
        location = cell.location if reason is None else None
        if reason is None:
            where = f" in `{cell.word}`" if cell.word not in (None, FILTER) else ""
            reason = f"{FILTER} removes it{where}"
        return self.make_result(
            "removed",
            f"`{excluded.move}` is generated, but {reason}",
            answers=(excluded,),
            location=location,
        )

    def _result_if_never_added(self, generation: Generation) -> WhyNot | None:
        """Return the result if a move word builds the requested move but does not add it.

        The result is None if the time limit is reached.
        """
        if not self.requested.squares or not self.traced.add_unfinished_moves():
            return None
        try:
            excluded = self._most_similar(self.traced.generate())
            if excluded is None or excluded.word is None:
                return None
            self.traced.stop_adding_unfinished_moves()
            solutions = self._search(generation, only_word=excluded.word).solutions
            refusals = tuple(self.answers.from_solution(solution) for solution in solutions)
        except TimeLimitExceeded:
            return None
        if refusals:
            return self.make_result("refused", self._refused(refusals[0]), answers=refusals)
        unfinished = replace(excluded, unfinished=True, appears=excluded.better is None)
        return self.make_result("not-added", self._not_added(unfinished), answers=(unfinished,))

    def _unfinished(self) -> tuple[Answer, ...]:
        """Return the answers in which a move word builds the move but does not add it."""
        if not self.requested.squares or not self.traced.add_unfinished_moves():
            return ()
        generation = self.traced.generate()
        excluded = self._most_similar(generation)
        if excluded is not None:
            return (replace(excluded, unfinished=True, appears=excluded.better is None),)
        solutions = self._search(generation).solutions
        return tuple(
            replace(self.answers.from_solution(solution), unfinished=True) for solution in solutions
        )

    def _search(
        self, generation: Generation, *, any_type: bool = False, only_word: str | None = None
    ) -> Search:
        """Search for decisions that refuse the move, in all move words or in `only_word`."""
        is_unlikely = (
            self._empty_first_square() or self._not_yours() or not self._passes_are_possible()
        )
        search = Search(
            self.traced,
            generation,
            self.requested,
            any_type=any_type,
            max_trials=_FEW_TRIALS if is_unlikely else MAX_TRIALS,
        )
        self.searches.append(search)
        search.run(only_word)
        return search

    def _passes_are_possible(self) -> bool:
        """Return False if the text is a pass but no word of the script adds passes."""
        if self.requested.squares or not self.text.casefold().startswith("pass"):
            return True
        words = [word.encode() for word in PASSES]
        return any(word in data for _, data in self.game._loaded.vm.texts for word in words)

    def _most_similar(self, generation: Generation, *, any_type: bool = False) -> Answer | None:
        """Return an answer about the generated move that is most similar to the requested move.

        The answer names the move types that exclude the move.  The result is None if no generated
        move is similar enough.
        """
        best = max(generation.moves, key=self.requested.similarity, default="")
        if self.requested.similarity(best) < Similarity.SQUARES:
            return None
        number = generation.moves.index(best)
        run = generation.run_of_move(number)
        kind = generation.types[number]
        answer = Answer((), best, exact=best == self.text, appears=False)
        return self.answers.with_run(
            run,
            replace(
                answer,
                type=self.answers.type_name(kind),
                demanded=self.answers.type_name(self.traced.demanded_type) if any_type else None,
                better=self.answers.better_type(kind, generation.types),
            ),
        )

    def _refused(self, answer: Answer) -> str:
        """Return the summary for decisions that refuse the move, with the first one's reason."""
        first = answer.refusals[0]
        if first.word in GUARDS:
            return f"after `{answer.move}` a piece that must not be lost is attacked (`checkmated`)"
        count = len(answer.refusals)
        what = f"`{first.condition} {first.kind}`" if first.condition else f"a `{first.kind}`"
        where = f" in `{first.word}`" if first.word else ""
        more = f" (and {count - 1} more in a row)" if count > 1 else ""
        fact = board_fact(first, self.position, answer.square)
        return (f"{fact}: " if fact else "") + f"{what}{where} refuses it{more}"

    def _not_added(self, answer: Answer) -> str:
        """Return the summary for a move that a move word builds, but does not add."""
        unfinished = f"`{answer.word}` builds `{answer.move}` and ends without `add-move`"
        if not answer.refusals:
            return unfinished
        return f"{self._refused(answer)}; then {unfinished}"

    def _outranked(self, answer: Answer) -> WhyNot:
        """Return the result for a move that a move type of higher priority excludes."""
        if answer.better is None:
            return self.make_result(
                "unexplained",
                f"`{answer.move}` is generated, but it is not in the list; the reason is not known",
                answers=(answer,),
            )
        first = f"`{self.legal[0]}`" if self.legal else "another"
        return self.make_result(
            "priority",
            f"`{answer.move}` is {_of_type(answer.type)}, and moves of type {answer.better} "
            f"come first ({{move-priorities}}): for example {first}",
            answers=(answer,),
        )

    def _without_decisions(self, generation: Generation, search: Search) -> WhyNot:
        """Return the result if no inverted decision made the move appear."""
        requested = self.requested
        not_yours = self._not_yours()
        if not_yours is not None:
            return self.make_result("not-yours", not_yours)
        empty_square = self._empty_first_square()
        if empty_square is not None:
            return self.make_result("no-piece", f"there is no piece on {empty_square}: it is empty")
        similar = [
            move for move in self.legal if requested.similarity(move) >= Similarity.FIRST_PART
        ]
        if similar:
            return self.make_result(
                "other-effects",
                f"the legal move between these squares has other effects: `{similar[0]}`",
                near=tuple(dict.fromkeys(similar))[:_MAX_SHOWN],
            )
        if search.similar_solution is not None:
            answer = self.answers.from_solution(search.similar_solution)
            return self.make_result(
                "other-effects",
                f"{self._refused(answer)}; without this refusal, `{answer.move}` is added, "
                "the most similar move",
                answers=(answer,),
            )
        return self._without_word(generation, search)

    def _empty_first_square(self) -> str | None:
        """Return the first square of the move if it is empty and the game has no drops."""
        square = self.requested.squares[0] if self.requested.squares else None
        if square is None or self.requested.player is not None or self._has_drops():
            return None
        return square if self.position.board[square] is None else None

    def _without_word(self, generation: Generation, search: Search) -> WhyNot:
        """Return the result if no move word generates the move, even with inverted decisions."""
        square = self.requested.squares[0] if self.requested.squares else None
        runs = [run for run in generation.runs if self.game._loaded.square(run.square) == square]
        words = list(dict.fromkeys(self.traced.source_cells.name(run.word) for run in runs))
        legal_from_square = [
            move
            for run in runs
            for move in generation.moves[run.first_move : run.first_move + run.move_count]
            if move in self.legal
        ]
        near = tuple(dict.fromkeys(legal_from_square))[:_MAX_SHOWN]
        if square is not None and not runs:
            piece = self.position.board[square]
            what = f"the {piece} on {square}" if piece else f"{square}, which is empty"
            demanded = self.answers.type_name(self.traced.demanded_type)
            of_type = f" of type {demanded}, which the turn demands," if demanded else ""
            return self.make_result("no-word", f"no move word{of_type} is run for {what}")
        if not self._passes_are_possible():
            return self.make_result("no-word", "no word of the script adds a pass")
        ran = f"for {square}: {_shortened(words)}" if square is not None else _shortened(words)
        if search.complete:
            return self.make_result(
                "unreachable",
                f"no move word makes that move ({ran}), whichever `verify` and IF is inverted",
                near=near,
            )
        self.limit.check()
        squares = self.requested.squares
        target = squares[-1] if len(squares) > 1 else None
        reached = {
            self.game._loaded.square(index) for one in self.searches for index in one.reached
        }
        in_generations = f"in {counted(self.trials, 'generation')} with inverted decisions"
        tried = (
            f"it was not found {in_generations} ({ran})"
            if target is None or target in reached
            else f"no move word ({ran}) made a test on {target} {in_generations}"
        )
        return self.make_result(
            "unexplained",
            f"the move is not legal; the reason is not known: {tried}",
            near=near,
            tried=self._tried_decisions(),
        )

    def _not_yours(self) -> str | None:
        """Return the summary if another player owns the piece that the text moves or creates."""
        requested, position = self.requested, self.position
        game = self.game
        for_player = game.turn_order[position._turn_index].for_player
        turn = f"it is {position.turn}'s turn"
        if requested.player is not None:
            if (
                requested.player in (for_player, position.turn)
                or requested.player not in game.contestants
            ):
                return None
            return f"{requested.player} is not to move: {turn}"
        piece = position.board[requested.squares[0]] if requested.squares else None
        if piece is None or piece.player in (for_player, position.turn):
            return None
        return f"the {piece.type} on {requested.squares[0]} belongs to {piece.player}: {turn}"

    def _has_drops(self) -> bool:
        return any(entry.is_drop for entry in self.traced.list_entries)


def _of_type(name: str | None) -> str:
    return f"of type {name}" if name else "of no type"


def _shortened(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MAX_SHOWN])
    return f"{shown} …" if len(names) > _MAX_SHOWN else shown


def _result_code_names(game: Game) -> dict[int, str]:
    """Return the library's names of the result codes of OnIsGameOver."""
    names = {}
    for name in ("#LossScore", "#DrawScore", "#WinScore", "#UnknownScore"):
        token = game._loaded.vm.find(name)
        if token is not None:
            names[game._loaded.vm.native.read_cell(game._loaded.vm.native.body(token))] = name
    return names
