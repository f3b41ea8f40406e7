\ Sums: a battle of numbers on 128 squares.

\ Stands for games in which each move looks at the whole board for captures: the moved piece and any friend capture
\ an enemy piece whose number is the sum or the product of theirs, if that piece stands in the row or column of the
\ square that the piece moves to; the product with the distance captures too.  Written with searches over all squares.

{board
	16 8 {grid}
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
directions}

{players
	{player} Even
	{player} Odd
players}

{turn-order
	{turn} Even
	{turn} Odd
turn-order}

VARIABLE last-position
VARIABLE number                         \ of the piece that moves
VARIABLE target-number
VARIABLE found

: number-at ( pos -- n ) piece-at piece-value ;
: row-of ( pos -- n ) 8 / ;
: column-of ( pos -- n ) 8 MOD ;
: in-line? ( pos -- ? )
	DUP row-of last-position @ row-of =
	SWAP column-of last-position @ column-of = OR
;
: distance ( pos -- n )
	DUP row-of last-position @ row-of - ABS
	SWAP column-of last-position @ column-of - ABS +
	1+
;
: try-pair ( n -- )                     \ n: number of a friend
	DUP number @ + target-number @ = IF TRUE found ! ENDIF
	number @ * target-number @ = IF TRUE found ! ENDIF
;
: search-pairs ( -- )
	0
	BEGIN
		DUP from <> IF
			DUP friend-at? IF DUP number-at try-pair ENDIF
		ENDIF
		1+ DUP 128 =
	UNTIL
	DROP
;
: is-captured? ( pos -- ? )
	FALSE found !
	DUP number-at target-number !
	DUP distance number @ * target-number @ = IF TRUE found ! ENDIF
	DROP
	search-pairs
	found @
;
: capture-all ( -- )
	from number-at number !
	0
	BEGIN
		DUP enemy-at? IF
			DUP in-line? IF
				DUP is-captured? IF DUP capture-at ENDIF
			ENDIF
		ENDIF
		1+ DUP 128 =
	UNTIL
	DROP
;
: go ( 'dir count -- )
	BEGIN
		OVER EXECUTE verify
		empty? verify
		1- DUP 0=
	UNTIL
	2DROP
	here last-position !
	from here move
	capture-all
	add-move
;
: go-n1 ( -- ) ['] n 1 go ;	: go-e1 ( -- ) ['] e 1 go ;	: go-s1 ( -- ) ['] s 1 go ;	: go-w1 ( -- ) ['] w 1 go ;
: go-n2 ( -- ) ['] n 2 go ;	: go-e2 ( -- ) ['] e 2 go ;	: go-s2 ( -- ) ['] s 2 go ;	: go-w2 ( -- ) ['] w 2 go ;
: go-n3 ( -- ) ['] n 3 go ;	: go-e3 ( -- ) ['] e 3 go ;	: go-s3 ( -- ) ['] s 3 go ;	: go-w3 ( -- ) ['] w 3 go ;
: go-ne1 ( -- ) ['] ne 1 go ;	: go-se1 ( -- ) ['] se 1 go ;	: go-sw1 ( -- ) ['] sw 1 go ;	: go-nw1 ( -- ) ['] nw 1 go ;

{moves round-moves {move} go-ne1 {move} go-se1 {move} go-sw1 {move} go-nw1 moves}
{moves corner-moves {move} go-n2 {move} go-e2 {move} go-s2 {move} go-w2 {move} go-n1 {move} go-s1 moves}
{moves square-moves {move} go-n3 {move} go-e3 {move} go-s3 {move} go-w3 {move} go-e1 {move} go-w1 moves}

{pieces
	{piece} r2 {moves} round-moves 2 {value}	{piece} r3 {moves} round-moves 3 {value}
	{piece} r4 {moves} round-moves 4 {value}	{piece} r5 {moves} round-moves 5 {value}
	{piece} t6 {moves} corner-moves 6 {value}	{piece} t9 {moves} corner-moves 9 {value}
	{piece} t12 {moves} corner-moves 12 {value}	{piece} t15 {moves} corner-moves 15 {value}
	{piece} s16 {moves} square-moves 16 {value}	{piece} s25 {moves} square-moves 25 {value}
	{piece} s36 {moves} square-moves 36 {value}	{piece} s45 {moves} square-moves 45 {value}
pieces}

{board-setup
	{setup} Even r2 a4   {setup} Even r4 b4   {setup} Even r2 c5   {setup} Even r4 d4   {setup} Even r2 e5   {setup} Even r4 g4
	{setup} Even t6 a3   {setup} Even t12 c3  {setup} Even t6 f3   {setup} Even t12 h3
	{setup} Even s16 b2  {setup} Even s36 d2  {setup} Even s16 e2  {setup} Even s36 g2
	{setup} Odd r3 a13   {setup} Odd r5 b13   {setup} Odd r3 c12   {setup} Odd r5 d13   {setup} Odd r3 e12   {setup} Odd r5 g13
	{setup} Odd t9 a14   {setup} Odd t15 c14  {setup} Odd t9 f14   {setup} Odd t15 h14
	{setup} Odd s25 b15  {setup} Odd s45 d15  {setup} Odd s25 e15  {setup} Odd s45 g15
board-setup}

: pieces-of ( player -- n )
	0 128 0 DO I player-at 2 PICK = IF 1+ ENDIF LOOP
	SWAP DROP
;
: OnIsGameOver ( -- result )
	#UnknownScore
	current-player pieces-of 9 < stalemate? OR IF DROP #LossScore ENDIF
	turn-number 120 > IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score ) current-player material-balance ;
