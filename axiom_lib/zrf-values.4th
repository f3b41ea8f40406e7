\ zrf-values.4th: words for the evaluation of games that are compiled from rule files of Zillions.

\ This file owns the values of pieces by position, and the values of pieces in stores.  The values of
\ piece types are in their records.

CREATE z-places ( -- addr )  \ For each player and piece type a table by position; 0: none.
	$playerCount @ $pieceCount @ * CELLS DUP ALLOT z-places SWAP ERASE
: z-valued-by ( player type -- )  \ The next name is the table of a player's pieces of a type.
	OR z-store-of CELLS z-places + ' CFA>PFA SWAP ! ;
: z-signed ( n player -- n' )  \ Negate a value unless it is for the player in whose view we are.
	current-player <> IF NEGATE ENDIF ;
: z-place-balance ( -- n )  \ The values of all places: the player's minus those of the others.
	z-places current-player $PlaceBalance ;
: z-stored ( player type -- n )  \ The value of pieces in a store: a tenth less than on the board.
	2DUP z-store @ SWAP piece-value * 9 * 10 / SWAP z-signed ;
