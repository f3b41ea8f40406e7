"""Tests that `piece-value` has the same result in all execution tiers, for every cell."""

from __future__ import annotations

from forthvm.core.vm import VM
from tests.kit.boards import grid
from tests.kit.cases import each_case
from tests.vm.tiers import HAS_JIT, TIERS

GAME = grid(3, 1, players="X O")
GAME += """\
: rest ( -- ) add-move ;
{moves rests {move} rest moves}
{pieces
	{piece} A {moves} rests 3 {value}
	{piece} B {moves} rests 50 {value}
	{piece} C {moves} rests -7 {value}
pieces}
"""
VALUE = ": value ( piece -- n ) piece-value ;"
HEAT = ": heat ( -- ) 30000 0 DO 1 value DROP LOOP ;"
# Types without a value, attributes and owners, and the largest and smallest cells.
PIECES = (0, 1, 2, 3, 4, 5, 1023, 1024, 1025, 2050, 4099, 65539, 2**31 - 1, -(2**31), -1, -1023)


def values(tier: str, game: str, axiom: int | str) -> list[object]:
    vm = VM(library="axiom", axiom=axiom, tier=tier, output=lambda _: None)
    for text in (game, VALUE, HEAT, "heat"):
        vm.interpret(text, name="value.4th")
    if HAS_JIT and tier != "interpreter":
        assert vm.native.compiled() > 0
    return [vm.call("value", piece) for piece in PIECES]


@each_case("axiom", [140, "140-exact", 150])
@each_case("game", ["", GAME], ids=["no table", "a table"])
def test_all_tiers_agree(game: str, axiom: int | str) -> None:
    expected = values("interpreter", game, axiom)
    if game and axiom != "140-exact":
        assert expected[1:4] == [(3,), (50,), (-7,)]
    for tier in TIERS[1:]:
        assert values(tier, game, axiom) == expected
