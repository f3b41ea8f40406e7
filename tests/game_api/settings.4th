\ Sticks: players take sticks from a row; the player that takes the last one wins, or loses.

VARIABLE most
VARIABLE misere
3 most !
: most= ( n -- ) most ! ;                      \ largest number of sticks in a move (default 3)
: last=wins ( -- ) misere OFF ;                \ who takes the last stick wins (default)
: last=loses ( -- ) misere ON ;                \ who takes it loses
: pass=off ( -- ) $passTurnForced OFF ;
: pass=on ( -- ) $passTurnForced ON ;
\ The next words are not settings, although their names contain `=`.
: a=b=c ( -- ) ;
: <= ( a b -- ? ) <= ;
: both= ( n -- ) DROP ;
: both=one ( -- ) ;

{board
	1 8 {grid}
	{variable} turns
	4 {array} seen                     \ arrays for the tests of variables; the game does not use them
	4 {carray} small
board}
{directions 0 1 {direction} e directions}
{players {player} First {player} Second players}
{turn-order {turn} First {turn} Second turn-order}

: remaining ( -- n ) 0 8 0 DO I not-empty-at? IF 1+ ENDIF LOOP ;
: turn++ ( -- ) turns ++ ;
: take ( n -- )                        \ from the right end
	DUP most @ <= verify DUP remaining <= verify
	remaining SWAP - remaining SWAP DO I capture-at LOOP
	COMPILE turn++ add-move
;
: one ( -- ) from a1 = verify 1 take ;
: two ( -- ) from a1 = verify 2 take ;
: three ( -- ) from a1 = verify 3 take ;
: four ( -- ) from a1 = verify 4 take ;
{moves takes {move} one {move} two {move} three {move} four moves}
{pieces {piece} hand {drops} takes {piece} stick pieces}
{board-setup
	{setup} First stick a1 {setup} First stick b1 {setup} First stick c1 {setup} First stick d1
	{setup} First stick e1
board-setup}
: OnIsGameOver ( -- result )
	#UnknownScore
	remaining 0= IF DROP misere @ IF #WinScore ELSE #LossScore ENDIF ENDIF
;
