\ Empire: 240 squares and twenty kinds of piece with up to sixteen move words each; promotion in the far rows.

\ Stands for very large chess: long lists of move words for each piece, made from shared words, with riders, leapers and
\ pieces that move twice or burn their neighbours, and an evaluation by material alone.

{board
	15 16 {grid}
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
directions}

{players
	{player} Sun
	{player} Moon
players}

{turn-order
	{turn} Sun
	{turn} Moon
turn-order}

{symmetries
	Moon {symmetry} n s
	Moon {symmetry} ne se
	Moon {symmetry} nw sw
symmetries}

DEFER EMPEROR
DEFER PAWN
DEFER GUARD

: far? ( -- ? ) here 16 / current-player Sun = IF 5 < ELSE 9 > ENDIF ;
: promote ( -- ) current-piece-type PAWN = far? AND IF GUARD change-type ENDIF ;
: go ( -- ) from here move promote add-move ;
: step ( 'dir -- ) EXECUTE verify friend? NOT verify go ;
: leap ( 'dir 'dir -- ) EXECUTE verify EXECUTE verify friend? NOT verify go ;
: ride ( 'dir -- )
	BEGIN
		DUP EXECUTE IF
			friend? IF TRUE ELSE go empty? NOT ENDIF
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP
;
: twice ( 'dir -- )                     \ capture a neighbour and go on
	DUP EXECUTE verify
	enemy? verify
	here SWAP
	EXECUTE verify
	friend? NOT verify
	from here move
	capture-at
	add-move
;
: burn ( -- )                           \ the dragon burns all enemies around instead of a move
	0
	['] n  EXECUTE IF enemy? IF here capture-at 1+ ENDIF from to ENDIF
	['] e  EXECUTE IF enemy? IF here capture-at 1+ ENDIF from to ENDIF
	['] s  EXECUTE IF enemy? IF here capture-at 1+ ENDIF from to ENDIF
	['] w  EXECUTE IF enemy? IF here capture-at 1+ ENDIF from to ENDIF
	0> verify
	add-move
;
: 1n ( -- ) ['] n step ;	: 1ne ( -- ) ['] ne step ;	: 1e ( -- ) ['] e step ;	: 1se ( -- ) ['] se step ;
: 1s ( -- ) ['] s step ;	: 1sw ( -- ) ['] sw step ;	: 1w ( -- ) ['] w step ;	: 1nw ( -- ) ['] nw step ;
: rn ( -- ) ['] n ride ;	: rne ( -- ) ['] ne ride ;	: re ( -- ) ['] e ride ;	: rse ( -- ) ['] se ride ;
: rs ( -- ) ['] s ride ;	: rsw ( -- ) ['] sw ride ;	: rw ( -- ) ['] w ride ;	: rnw ( -- ) ['] nw ride ;
: twice-n ( -- ) ['] n twice ;	: twice-e ( -- ) ['] e twice ;	: twice-s ( -- ) ['] s twice ;	: twice-w ( -- ) ['] w twice ;
: leap-1 ( -- ) ['] ne ['] n leap ;	: leap-2 ( -- ) ['] ne ['] e leap ;	: leap-3 ( -- ) ['] se ['] e leap ;	: leap-4 ( -- ) ['] se ['] s leap ;
: leap-5 ( -- ) ['] sw ['] s leap ;	: leap-6 ( -- ) ['] sw ['] w leap ;	: leap-7 ( -- ) ['] nw ['] w leap ;	: leap-8 ( -- ) ['] nw ['] n leap ;

{moves pawn-moves {move} 1n {move} 1ne {move} 1nw moves}
{moves guard-moves {move} 1n {move} 1ne {move} 1nw {move} 1e {move} 1w {move} 1s moves}
{moves king-moves {move} 1n {move} 1ne {move} 1e {move} 1se {move} 1s {move} 1sw {move} 1w {move} 1nw moves}
{moves rook-moves {move} rn {move} re {move} rs {move} rw moves}
{moves bishop-moves {move} rne {move} rse {move} rsw {move} rnw moves}
{moves queen-moves {move} rn {move} re {move} rs {move} rw {move} rne {move} rse {move} rsw {move} rnw moves}
{moves knight-moves {move} leap-1 {move} leap-2 {move} leap-3 {move} leap-4 {move} leap-5 {move} leap-6 {move} leap-7 {move} leap-8 moves}
{moves horse-moves {move} leap-1 {move} leap-2 {move} leap-3 {move} leap-4 {move} leap-5 {move} leap-6 {move} leap-7 {move} leap-8
	{move} rne {move} rse {move} rsw {move} rnw moves}
{moves ship-moves {move} leap-1 {move} leap-2 {move} leap-3 {move} leap-4 {move} leap-5 {move} leap-6 {move} leap-7 {move} leap-8
	{move} rn {move} re {move} rs {move} rw moves}
{moves lion-moves {move} twice-n {move} twice-e {move} twice-s {move} twice-w {move} 1n {move} 1ne {move} 1e {move} 1se
	{move} 1s {move} 1sw {move} 1w {move} 1nw {move} leap-1 {move} leap-2 {move} leap-7 {move} leap-8 moves}
{moves dragon-moves {move} burn {move} rn {move} re {move} rs {move} rw {move} 1ne {move} 1se {move} 1sw {move} 1nw moves}
{moves lance-moves {move} rn {move} 1s moves}
{moves cart-moves {move} rn {move} rs {move} 1e {move} 1w moves}

{pieces
	{piece} emperor {moves} king-moves 1000 {value}	{piece} pawn {moves} pawn-moves 1 {value}
	{piece} guard {moves} guard-moves 3 {value}	{piece} prince {moves} king-moves 4 {value}
	{piece} rook {moves} rook-moves 9 {value}	{piece} bishop {moves} bishop-moves 6 {value}
	{piece} queen {moves} queen-moves 16 {value}	{piece} knight {moves} knight-moves 5 {value}
	{piece} horse {moves} horse-moves 11 {value}	{piece} ship {moves} ship-moves 14 {value}
	{piece} lion {moves} lion-moves 12 {value}	{piece} dragon {moves} dragon-moves 13 {value}
	{piece} lance {moves} lance-moves 4 {value}	{piece} cart {moves} cart-moves 5 {value}
	{piece} monk {moves} bishop-moves 6 {value}	{piece} fort {moves} rook-moves 9 {value}
	{piece} scout {moves} knight-moves 5 {value}	{piece} wagon {moves} cart-moves 5 {value}
	{piece} herald {moves} guard-moves 3 {value}	{piece} regent {moves} queen-moves 15 {value}
pieces}
' emperor IS EMPEROR  ' pawn IS PAWN  ' guard IS GUARD

{board-setup
	{setup} Sun emperor i1 {setup} Sun queen h1 {setup} Sun rook b1 {setup} Sun rook o1 {setup} Sun bishop e1 {setup} Sun bishop l1
	{setup} Sun knight d2 {setup} Sun knight m2 {setup} Sun horse f2 {setup} Sun ship k2 {setup} Sun lion h2 {setup} Sun dragon j2
	{setup} Sun lance a1 {setup} Sun lance p1 {setup} Sun cart c2 {setup} Sun monk g2 {setup} Sun fort n2 {setup} Sun scout i2
	{setup} Sun wagon b2 {setup} Sun herald g3 {setup} Sun regent l3 {setup} Sun prince j1 {setup} Sun guard h3 {setup} Sun pawn d4
	{setup} Sun pawn f4 {setup} Sun pawn i4 {setup} Sun pawn k4 {setup} Sun pawn m4
	{setup} Moon emperor i15 {setup} Moon queen h15 {setup} Moon rook b15 {setup} Moon rook o15 {setup} Moon bishop e15 {setup} Moon bishop l15
	{setup} Moon knight d14 {setup} Moon knight m14 {setup} Moon horse f14 {setup} Moon ship k14 {setup} Moon lion h14 {setup} Moon dragon j14
	{setup} Moon lance a15 {setup} Moon lance p15 {setup} Moon cart c14 {setup} Moon monk g14 {setup} Moon fort n14 {setup} Moon scout i14
	{setup} Moon wagon b14 {setup} Moon herald g13 {setup} Moon regent l13 {setup} Moon prince j15 {setup} Moon guard h13 {setup} Moon pawn d12
	{setup} Moon pawn f12 {setup} Moon pawn i12 {setup} Moon pawn k12 {setup} Moon pawn m12
board-setup}

: has-emperor? ( player -- ? )
	FALSE 240 0 DO I piece-at 2 PICK EMPEROR OR = OR LOOP SWAP DROP
;
: OnIsGameOver ( -- result )
	#UnknownScore
	current-player has-emperor? NOT stalemate? OR IF DROP #LossScore ENDIF
	turn-number 150 > IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score ) current-player material-balance ;
