\ Two walkers.  Each move writes more cells than the search stack stores individually.
{board 2 6 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
1500 CONSTANT #vast
CREATE vast #vast CELLS ALLOT
: zero ( -- ) #vast 0 DO 0 vast I CELLS + ! LOOP ;
zero
: flood ( n -- ) #vast 0 DO vast I CELLS + @ 3 * OVER + 1000 MOD vast I CELLS + ! LOOP DROP ;
: compile-flood ( n -- ) COMPILE-LITERAL COMPILE flood ;  \ as a part of the move
: walk ( 'dir n -- ) SWAP EXECUTE verify empty? verify from here move compile-flood add-move ;
: walk-left ( -- ) ['] left 2 walk ;
: walk-right ( -- ) ['] right 5 walk ;
: leap-right ( -- ) right verify ['] right 11 walk ;
{moves walks {move} walk-left {move} walk-right {move} leap-right moves}
{pieces {piece} walker {moves} walks pieces}
{board-setup {setup} White walker b2 {setup} Black walker c1 board-setup}
: OnEvaluate ( -- score )
	vast @ vast 700 CELLS + @ 2 * + vast #vast 1- CELLS + @ 3 * +
	current-player Black = IF NEGATE ENDIF
;
