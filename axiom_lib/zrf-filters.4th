\ zrf-filters.4th: rules of Zillions that take moves out of the finished list; zrf-goals.4th comes before it.

\ This file owns priorities for games in which the kernel cannot apply them, and the option "maximal
\ captures".  A compiled script calls the words in the hook OnMovesGenerated.

{scratch

: z-keep-stop ( -- )  \ A series of parts cannot be stopped if it cannot go on.
	$partial @ move-count 1 = AND IF
		$FirstMove DUP z-pass? IF $RemoveMove ELSE DROP ENDIF
	ENDIF ;

\ --- priorities ---------------------------------------------------------------------------------

VARIABLE z-ranks ( -- addr )  \ Rank of each move type, as in $move-priorities.
: z-take-ranks ( -- )  \ Apply the priorities here, not in the kernel.
	$move-priorities @ z-ranks ! $move-priorities OFF ;
: z-rank-of-move ( move -- n )  \ Rank of a move, 1 best.
	.moveType @ CELLS z-ranks @ + @ ;
VARIABLE z-best ( -- addr )  \ Best rank, or best length.
: z-find-rank ( -- )
	#NoPriority 1+ z-best !
	$FirstMove BEGIN DUP WHILE
		DUP z-pass? NOT IF DUP z-rank-of-move z-best @ MIN z-best ! ENDIF $NextMove
	REPEAT DROP ;
: z-keep-ranked ( -- )  \ Keep the moves of the best rank, and passes; series of parts have no ranks.
	$partial @ $ofType @ OR NOT move-count 0> AND IF
		z-find-rank
		$FirstMove BEGIN DUP WHILE
			DUP $NextMove SWAP
			DUP z-rank-of-move z-best @ = OVER z-pass? OR IF DROP ELSE $RemoveMove ENDIF
		REPEAT DROP
	ENDIF ;

\ --- maximal captures -----------------------------------------------------------------------------
\ The length of a move is the number of pieces that leave the board in it and in the best series of
\ parts that may follow, times 65536; a part that takes nothing counts as one.  With the value 2 of the
\ option, captured kings count 256 each, and a capture by a king 1.
\
\ Each part of a series is a nested run, of which the kernel allows 48: parts beyond the deepest count
\ nothing.  A board may have more series than time allows: then the list keeps all its moves.
36 CONSTANT #z-deepest ( -- n )  \ Maximum number of parts of a series that are measured.
10000 CONSTANT #z-most-parts ( -- n )  \ Maximum number of parts that are measured for a list.
VARIABLE z-depth ( -- addr )  \ Number of parts before the one that is measured.
VARIABLE z-parts ( -- addr )  \ Number of parts measured for the list.

VARIABLE z-move-tried ( -- addr )  \ The move that is measured.
VARIABLE z-length ( -- addr )  \ Its length.
: z-own-length ( -- n )  \ Length of the part that has just been made.
	z-taken @ DUP 65535 > NOT IF $partial @ IF 65536 + ELSE DROP 0 ENDIF ENDIF ;
DEFER z-measure ( -- )
: z-length-of ( move -- n )  \ Length of a move.
	z-move-tried ! ['] z-measure $CatchExit DROP z-length @ ;
: z-longest-of ( move -- n )  \ Greatest length in a list of moves, without captures by kings.
	0 BEGIN OVER WHILE
		OVER z-length-of MAX SWAP $NextMove SWAP
	REPEAT SWAP DROP -256 AND ;
: z-looks-on? ( -- ? )  \ Are the parts that may follow within the limits?
	z-depth @ 1+ #z-deepest < z-parts @ #z-most-parts < AND ;
: z-try-part ( -- )  \ Make the move on a copy of the board; a frame frees it.
	z-parts ++ z-taken OFF $partial OFF $CloneBoard z-move-tried @ .moveCFA EXECUTE
	z-own-length $partial @ z-looks-on? AND IF
		z-depth ++ z-generate move-count IF $FirstMove z-longest-of + ENDIF z-depth --
	ENDIF z-length ! ;
' z-try-part IS z-measure

4096 [] z-lengths[] ( i -- addr )  \ Lengths of the moves of the list.
: z-measure-all ( -- )
	z-best OFF z-parts OFF z-depth OFF
	0 $FirstMove BEGIN DUP WHILE ( i move )
		DUP z-length-of DUP z-best @ MAX z-best ! 2 PICK z-lengths[] !
		$NextMove SWAP 1+ SWAP
	REPEAT 2DROP ;
: z-remove-shorter ( -- )  \ Keep the moves of the greatest length, and passes.
	0 $FirstMove BEGIN DUP WHILE
		DUP $NextMove SWAP ( i next move )
		2 PICK z-lengths[] @ z-best @ = OVER z-pass? OR IF DROP ELSE $RemoveMove ENDIF
		SWAP 1+ SWAP
	REPEAT 2DROP ;
: z-keep-longest ( -- )  \ Remove shorter moves, if all could be measured.
	move-count 1 > move-count 4096 < AND IF
		z-measure-all z-parts @ #z-most-parts < IF z-remove-shorter ENDIF
	ENDIF ;

scratch}
