\ Chess with kings, rooks, knights and pawns, without castling and en passant: the board, and the test whether a
\ piece is attacked.  It uses no knowledge of the pieces: it runs the move words of the other player, in which
\ `add` then tests whether the move goes to the target.

{board 8 8 {grid} board}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
{directions
	-1  0 {direction} n     -1  1 {direction} ne     0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw     0 -1 {direction} w     -1 -1 {direction} nw
	-2  1 {direction} nne   -1  2 {direction} ene    1  2 {direction} ese    2  1 {direction} sse
	 2 -1 {direction} ssw    1 -2 {direction} wsw   -1 -2 {direction} wnw   -2 -1 {direction} nnw
	-1  0 {direction} ahead -1 -1 {direction} left  -1  1 {direction} right
directions}
{symmetries
	Black {asymmetry} ahead s
	Black {asymmetry} left sw
	Black {asymmetry} right se
symmetries}

64 CONSTANT #squares
2 CONSTANT KNIGHT                       \ the piece types, in the order in which {pieces names them
3 CONSTANT ROOK
4 CONSTANT KING

VARIABLE testing                        \ `add` tests the target
VARIABLE target
VARIABLE hit
VARIABLE attacker                       \ the player whose moves are tested

: test-target ( -- ) here target @ = IF hit ON $Exit ENDIF ;

: moves-of ( piece -- pairs n )         \ the list of move words and move types of the piece's type
	piece-index #PieceCells CELLS * $pieces @ + #movesCell CELLS + @ CFA>PFA
	DUP CELLSIZE + SWAP @
;
: test-words ( pairs n -- )
	BEGIN DUP 0> hit @ NOT AND WHILE
		OVER @ $CatchExit DROP
		1- SWAP 2 CELLS + SWAP
	REPEAT 2DROP
;
: test-piece ( pos -- )
	DUP piece-at #Player AND attacker @ =
	IF DUP home back piece-at DUP $piece ! moves-of test-words ELSE DROP ENDIF
;
: test-pieces ( -- )
	attacker @ player-index CELLS $players @ + @ $SetPlayer
	0 BEGIN DUP #squares < hit @ NOT AND WHILE DUP test-piece 1+ REPEAT DROP
;
: attacked? ( pos player -- ? )         \ could a move of the player go to the position?
	attacker ! target ! hit OFF
	testing ON ['] test-pieces $CatchExit DROP testing OFF
	hit @
;

: other ( player -- player' ) White Black + SWAP - ;
: king-of ( player -- pos )             \ #squares without a king
	KING OR 0 BEGIN DUP #squares < IF 2DUP piece-at <> ELSE FALSE ENDIF WHILE 1+ REPEAT SWAP DROP
;
: exposed? ( player -- ? )              \ is the player's king attacked?
	DUP king-of DUP #squares = IF 2DROP FALSE ELSE SWAP other attacked? ENDIF
;
