\ vm: axiom=150 base=loaded/world.4th
\ Internal words and variables of the library.  The comments of loaded/world.4th explain the numbers of
\ positions and board cells.
fresh
T{ b1 to $pos @ b2 home $from @ -> 7 4 }T
T{ a1 to n DROP $pos @ -> 3 }T
: see-piece $piece @ . ;
T{ fresh ' see-piece gen clear-list -> }T              \ expect: "2049 "
T{ $lastMoveType @ -> 0 }T
: OnGenerateMoves ." g" ;
: up n verify empty? verify from here move add-move ;
T{ fresh ' up gen clear-list -> }T                     \ expect: "g"
: OnGenerateMoves ;
T{ fresh ' up gen clear-list -> }T
T{ $add-move @ ' add-move = -> -1 }T
T{ $searching @ $searchStatus @ -> 0 0 }T
T{ $moveAddr @ DROP $moveString @ DROP -> }T

\ Directions made without the words of {directions.
T{ $currDirection @ DROP $BuildDirection $currDirection @ DUP @ SWAP 9 CELLS + @ -> -1 -1 }T
\ A direction has a cell for each of the 10 positions.
T{ HERE $currDirection @ - -> 40 }T
T{ 1 1 $MakeLinks $currDirection @ DUP @ SWAP 4 CELLS + @ $currDirection @ 8 CELLS + @ -> 4 8 -1 }T
HERE 64 ALLOT $CreateDirection made DROP
T{ b2 to made here -> 0 4 }T
: made-name S" made2" ;
HERE 64 ALLOT made-name $CreateDirectionFromString DROP
T{ b2 to made2 here -> 0 4 }T
{symmetries
	B {symmetry} n s
symmetries}
T{ $direction1CFA @ CFA>NFA @ TYPE $direction2CFA @ CFA>NFA @ TYPE -> }T \ expect: "ns"
T{ $direction1Index @ $direction2Index @ $symmetryPlayerCELLOffset @ -> 0 1 4 }T
T{ $symmetries @ 0 $SymmetryBase = 1 $SymmetryBase 0 $SymmetryBase - -> -1 12 }T
T{ B $ParseSymmetry e w $direction1Index @ $direction2Index @ -> 2 3 }T
T{ 2 3 $ReplaceDirection 2 $SymmetryBase 4 + @ CFA>NFA @ TYPE -> }T \ expect: "w"
T{ $RedefineDirection1 ' e CFA>PFA @ 2 $SymmetryBase = -> -1 }T
T{ $RedefineDirection2 ' w CFA>PFA @ 3 $SymmetryBase = -> -1 }T
T{ 0 $SymmetryBase ' n $RedefineDirection ' n CFA>PFA @ 0 $SymmetryBase = -> -1 }T

\ Tables of keys: a pair of cells for each piece type, player and position.
T{ HERE 2 $MakeZobristTable HERE SWAP - -> 16 }T
T{ 0 $zobrist ! 0 $playerToMoveHash ! $GenerateZobristTables $zobrist @ 0<> $playerToMoveHash @ 0<> -> -1 -1 }T
T{ $zobrist @ $GeneratePiecePositionHash $zobrist @ = -> 0 }T
T{ $playerToMoveHash @ $GeneratePlayerToMoveHash $playerToMoveHash @ = -> 0 }T

T{ $posNames @ $DefinePosNames $posNames @ = $posNames @ @ TYPE $posNames @ 9 CELLS + @ TYPE -> 0 }T \ expect: "a3flag"
T{ $GenerateGridNames b2 c1 -> 4 8 }T
T{ $boardSize @ $UpdateSize $boardSize @ SWAP $boardSize ! -> 40 }T
T{ $DefineMoveType kind kind $moveType @ -> 1 1 1 }T
T{ $DefineMoveType kind -> 1 }T
T{ 2 ' up $CompileEngine $engines @ @ ' up = ' $NegamaxMove $engines @ ! -> 2 -1 }T
CREATE a-table 16 ALLOT
: table-offset ( addr n -- n offset ) SWAP a-table - ;
T{ a-table 3 3 $EncodePlayer $DefinePlayer Third table-offset -> 4 4 }T
T{ Third a-table @ CFA>NFA @ TYPE -> 6144 }T \ expect: "Third"
