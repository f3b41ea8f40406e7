"""The summary of a match: standings, seats, lengths, speed, repeated games, faults.

Owns the choice of numbers and of the games that count.  Delegates the formulas to formulas.py and
ratings.py, and the display to autoplay/report.

A game counts if it is not void.  Only the attributes `void`, `seconds`, `reasons`, `faults`,
`failing` and `tracebacks` of a summary include void games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.match.schedule import swiss_rounds
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.statistics.failures import FailingEntrant, FailureCounter
from forthvm.autoplay.statistics.formulas import (
    PAIR_SCORES,
    Distribution,
    EloEstimate,
    Interval,
    Sample,
    distribution,
    elo_difference,
    likelihood_of_superiority,
    mean_interval,
)
from forthvm.autoplay.statistics.ratings import RatedGames, Ratings, fit
from forthvm.autoplay.statistics.repeats import RepeatCounter, Repeats
from forthvm.autoplay.statistics.sequential import PairTest
from forthvm.autoplay.statistics.sprt import CONTINUE, Sprt, SprtSettings
from forthvm.autoplay.statistics.standings import (
    Standing,
    Tally,
    can_use_pairs,
    observed_means,
    result_kind,
    sample_of,
    share_interval,
)
from forthvm.core.reading import as_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from forthvm.autoplay.results.store import GameRow

__all__ = ["Cell", "Duel", "Standing", "Summary", "Traceback", "summarise", "summarise_store"]

_MAX_TRACEBACKS = 10
"""The maximum number of different tracebacks; an engine may fail differently in each game."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of the cross table: the results of one entrant against another."""

    played: int
    won: int
    drawn: int
    lost: int
    interval: Interval
    """The interval of the mean of the points."""

    @property
    def points(self) -> float:
        """The points: 1 for each game with a higher score, 1/2 for each with an equal score."""
        return self.won + self.drawn / 2


@dataclass(frozen=True, kw_only=True)
class Duel:
    """The comparison of the two entrants of a match.

    Attributes:
        first: The first entrant.
        second: The second entrant.
        games: The first entrant's scores in the games.
        pairs: The first entrant's mean scores in complete pairs of games; None without pairs.
        by_pairs: Whether `elo` and `superiority` are computed from `pairs`, not from `games`.
        elo: The difference in Elo.
        superiority: The probability that the first entrant is stronger.
        sprt: The sequential test of the match with its results so far; None without a test.
    """

    first: str
    second: str
    games: Sample
    pairs: Sample | None
    by_pairs: bool
    elo: EloEstimate
    superiority: float
    sprt: Sprt | None = None


@dataclass(frozen=True, kw_only=True)
class Traceback:
    """A traceback of a failed engine in Python.

    Attributes:
        text: The lines of the traceback.
        game: The number of the first game in which it occurred.
        games: The number of games in which it occurred.
    """

    text: str
    game: int
    games: int


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The results of a match.

    Attributes:
        game: Names of the configurations.
        planned: Number of games in the schedule; None if unknown.
        by_pairs: Whether all intervals are by pairs (see standings.py), otherwise by games.
        counted: Number of games that count.
        void: Number of void games.
        standings: Results by entrant, in the order of the match settings.
        seats: Results by player of the game, in turn order.
        drawn: Number of draws.
        draw_rate: The interval of the share of games that are draws.
        cross: The cross table by entrant and opponent.
        duel: The comparison of the entrants in a match of two.
        ratings: Ratings, if there are more than two entrants or seats.
        lengths: Plies of each game, except games forfeited before the first move.
        length: The distribution of `lengths`.
        branching: The distribution over games of the mean number of legal moves in a game.
        seconds: The sum of the games' durations.
        reasons: Each reason for the end of a game with its number of games, most frequent first.
        repeats: Repeated games.
        faults: Number of games with faults, which are errors of engines that did not end the game.
        failing: The entrants whose engines failed with an error in more than half of their games.
        tracebacks: The different tracebacks of engines in Python, or the first of many.
    """

    game: str
    planned: int | None
    by_pairs: bool
    counted: int
    void: int
    standings: tuple[Standing, ...]
    seats: tuple[Standing, ...]
    drawn: int
    draw_rate: Interval
    cross: Mapping[tuple[str, str], Cell]
    duel: Duel | None
    ratings: Ratings | None
    lengths: tuple[int, ...]
    length: Distribution | None
    branching: Distribution | None
    seconds: float
    reasons: tuple[tuple[str, int], ...]
    repeats: Repeats
    faults: int
    failing: tuple[FailingEntrant, ...]
    tracebacks: tuple[Traceback, ...]

    @property
    def is_finished(self) -> bool:
        """Whether all games were played or the sequential test has decided."""
        test = self.duel.sprt if self.duel else None
        decided = test is not None and test.decision != CONTINUE
        return decided or self.planned is None or self.counted + self.void >= self.planned

    @property
    def seat_count(self) -> int:
        """The number of seats of the game."""
        return len(self.seats)

    @property
    def first_seat(self) -> Standing | None:
        """The results of the player who moves first; None without games."""
        return self.seats[0] if self.seats and self.counted else None

    def _repr_html_(self) -> str:
        """Return the tables of the report page, for notebooks."""
        from forthvm.autoplay.report.blocks import Heading, html_of
        from forthvm.autoplay.report.summary_blocks import summary_blocks

        title = Heading(f"{self.game}: {self.counted} games", 1)
        return html_of([title, *summary_blocks(self)])


def summarise(
    rows: Iterable[GameRow],
    *,
    entrants: Sequence[str] = (),
    planned: int | None = None,
    sprt: SprtSettings | None = None,
    paired: bool = True,
) -> Summary:
    """Summarise games.

    Args:
        rows: The games in the order of their numbers; they are iterated once.
        entrants: The entrants of the match; entrants that occur only in `rows` follow them.
        planned: The number of games in the schedule.
        sprt: A sequential test of the first entrant against the second, in a match of two.
        paired: Whether the test uses mean scores of pairs, as in all schedules except `fixed`.
    """
    total = _Totals(entrants, None if sprt is None else PairTest(sprt, paired=paired))
    for row in rows:
        total.add(row)
    return total.summary(planned)


def summarise_store(match: Mapping[str, object], rows: Iterable[GameRow]) -> Summary:
    """Summarise a results file, given as `store.match()` and `store.games()`.

    Raises:
        MatchError: The settings of the match's sequential test are invalid.
    """
    return summarise(
        rows,
        entrants=_entrants(match),
        planned=_planned(match),
        sprt=_sprt(match),
        paired=match.get("schedule") != "fixed",
    )


def _entrants(match: Mapping[str, object]) -> list[str]:
    entrants = match.get("entrants")
    if not isinstance(entrants, list):
        return []
    return [
        str(entrant.get("name")) if isinstance(entrant, dict) else str(entrant)
        for entrant in entrants
    ]


def _planned(match: Mapping[str, object]) -> int | None:
    """Return the number of games of the match; a Swiss tournament has complete rounds only."""
    games, seats = match.get("games"), match.get("seats")
    if not isinstance(games, int):
        return None
    if match.get("schedule") == "swiss" and isinstance(seats, list):
        rounds, games_per_round = swiss_rounds(len(_entrants(match)), len(seats), games)
        return rounds * games_per_round
    return games


def _sprt(match: Mapping[str, object]) -> SprtSettings | None:
    options = match.get("options")
    try:
        texts = as_type(list[str])(options.get("sprt", [])) if isinstance(options, dict) else []
        return SprtSettings.parse(texts) if texts else None
    except ValueError as error:
        raise MatchError(f"these results have an invalid sequential test: {error}") from error


class _Totals:
    """Collects the games of a summary."""

    def __init__(self, entrants: Sequence[str], test: PairTest | None) -> None:
        self.test = test
        self.entrants: dict[str, Tally] = {name: Tally() for name in entrants}
        self.seats: dict[str, Tally] = {}
        self.cross: defaultdict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
        """By entrant and opponent: pair number and the entrant's points for each game."""
        self.draws: list[tuple[int, float]] = []
        """For each game its pair number, and 1 for a draw or 0."""
        self.games: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.repeats = RepeatCounter()
        self.rated_games = RatedGames()
        self.failures = FailureCounter()
        self.tracebacks: dict[str, list[int]] = {}
        self.lengths: list[tuple[int, int]] = []
        """Pair number and plies of each game."""
        self.branching: list[tuple[int, float]] = []
        """Pair number and mean number of legal moves of each game."""
        self.counted = self.void = self.faults = 0
        self.seconds = 0.0

    def add(self, row: GameRow) -> None:
        self.games[row.game] += 1
        self.reasons[row.reason] += 1
        self.seconds += row.seconds
        self.faults += bool(row.faults)
        self._add_traceback(row)
        self.failures.add(row)
        if row.void:
            self.void += 1
            return
        chosen_moves = Counter(player for player, _ in row.moves[len(row.opening) :])
        for player, entrant in row.seats.items():
            self.entrants.setdefault(entrant, Tally()).add(row, player, chosen_moves[player])
            self.seats.setdefault(player, Tally()).add(row, player, chosen_moves[player])
        self._compare(row)
        if self.test is not None and len(row.seats) == 2:
            self.test.add(row, next(iter(self.entrants)))
        self.counted += 1
        if not chosen_moves and row.reason.startswith("forfeit"):
            return
        self.lengths.append((row.pair, row.plies))
        if row.branching:
            self.branching.append((row.pair, row.branching))
        self.repeats.add(row, sum(chosen_moves[player] for player in row.seats))

    def _add_traceback(self, row: GameRow) -> None:
        text = row.traceback
        if text in self.tracebacks or (text and len(self.tracebacks) < _MAX_TRACEBACKS):
            self.tracebacks.setdefault(text, []).append(row.id)

    def _compare(self, row: GameRow) -> None:
        results = [(entrant, row.outcome.get(player, 0.0)) for player, entrant in row.seats.items()]
        is_drawn = result_kind(1.0, [score for _, score in results]) == "drawn"
        self.draws.append((row.pair, float(is_drawn)))
        self.rated_games.add_game(results, pair=row.pair)
        for at, (first, score) in enumerate(results):
            for second, other_score in results[at + 1 :]:
                if first != second:
                    self.cross[first, second].append((row.pair, _points(score - other_score)))
                    self.cross[second, first].append((row.pair, _points(other_score - score)))

    def summary(self, planned: int | None) -> Summary:
        more_than_two = len(self.entrants) > 2 or len(self.seats) > 2
        by_pairs = can_use_pairs([pair for pair, _ in self.draws])
        standings, seats = (
            tuple(tally.standing(name, paired=by_pairs) for name, tally in tallies.items())
            for tallies in (self.entrants, self.seats)
        )
        return Summary(
            game=", ".join(sorted(self.games)),
            planned=planned,
            by_pairs=by_pairs,
            counted=self.counted,
            void=self.void,
            standings=standings,
            seats=seats,
            drawn=sum(is_drawn == 1 for _, is_drawn in self.draws),
            draw_rate=share_interval(self.draws, paired=by_pairs),
            cross={names: _cell(games, paired=by_pairs) for names, games in self.cross.items()},
            duel=None if more_than_two else self._duel(by_pairs=by_pairs),
            ratings=fit(self.rated_games, paired=by_pairs) if more_than_two else None,
            lengths=tuple(plies for _, plies in self.lengths),
            length=_distribution(self.lengths, paired=by_pairs),
            branching=_distribution(self.branching, paired=by_pairs),
            seconds=self.seconds,
            reasons=tuple(self.reasons.most_common()),
            repeats=self.repeats.repeats,
            faults=self.faults,
            failing=self.failures.failing,
            tracebacks=tuple(
                Traceback(text=text, game=games[0], games=len(games))
                for text, games in self.tracebacks.items()
            ),
        )

    def _duel(self, *, by_pairs: bool) -> Duel | None:
        if len(self.entrants) != 2 or not self.cross:
            return None
        first, second = self.entrants
        results = self.entrants[first].results
        games = Sample.of(score for _, score in results)
        pairs = _sample_of_pairs(results)
        sample = sample_of(results, two_seats=True, paired=by_pairs)
        return Duel(
            first=first,
            second=second,
            games=games,
            pairs=pairs,
            by_pairs=by_pairs,
            elo=elo_difference(sample),
            superiority=likelihood_of_superiority(sample),
            sprt=None if self.test is None else self.test.sprt,
        )


def _sample_of_pairs(results: Sequence[tuple[int, float]]) -> Sample | None:
    """Return the mean scores of complete pairs; None without any."""
    incomplete: dict[int, float] = {}
    means = []
    for pair, score in results:
        if pair and pair in incomplete:
            means.append((incomplete.pop(pair) + score) / 2)
        elif pair:
            incomplete[pair] = score
    return Sample.of(means, PAIR_SCORES) if means else None


def _cell(results: Sequence[tuple[int, float]], *, paired: bool) -> Cell:
    count = Counter(points for _, points in results)
    return Cell(
        played=len(results),
        won=count[1.0],
        drawn=count[0.5],
        lost=count[0.0],
        interval=mean_interval(sample_of(results, two_seats=True, paired=paired)),
    )


def _distribution(results: Sequence[tuple[int, float]], *, paired: bool) -> Distribution | None:
    numbers = [number for _, number in results]
    return distribution(numbers, observations=observed_means(results, paired=paired))


def _points(difference: float) -> float:
    """Return 1 for a positive difference of scores, 1/2 for 0, 0 for a negative one."""
    return 1.0 if difference > 0 else 0.0 if difference < 0 else 0.5
