\ in-a-row.4th: lines of pieces of one player.  A part of the library for any game: LOAD in-a-row.4th

\ The game loads it after the directions n, ne, e, se and their opposites s, sw, w, nw.  A line is as long as possible:
\ before its first and behind its last piece is an edge, an empty position or a piece of another owner.

\ --- does a player have a line of this length? -----------------------------------------------------

VARIABLE line-owner
VARIABLE shortest-line
VARIABLE longest-line

: in-line? ( -- ? ) player line-owner @ = ;
: line-begins? ( 'back -- ? ) here SWAP EXECUTE in-line? AND NOT SWAP to ;
: line-length ( 'dir -- n )             \ of the line that begins at `here`
	1 BEGIN OVER EXECUTE in-line? AND WHILE 1+ REPEAT SWAP DROP
;
: fits? ( n -- ? ) DUP shortest-line @ < NOT SWAP longest-line @ > NOT AND ;
: line-at? ( pos 'dir 'back -- ? )
	2 PICK to line-begins? IF line-length fits? ELSE DROP FALSE ENDIF SWAP DROP
;
: lines-at? ( pos -- ? )
	DUP  ['] n  ['] s  line-at?
	OVER ['] ne ['] sw line-at? OR
	OVER ['] e  ['] w  line-at? OR
	SWAP ['] se ['] nw line-at? OR
;
: has-line? ( least most player -- ? )  \ does the player have a line of this many pieces?
	line-owner ! longest-line ! shortest-line !
	FALSE
	$scanPositions @ 0 DO
		I player-at line-owner @ = IF I lines-at? IF DROP TRUE LEAVE ENDIF ENDIF
	LOOP
;

\ --- all lines of n positions, for evaluations ------------------------------------------------------

\ CREATE lines 4 lines,  makes a table with all lines of four positions, four cells each.
: line-fits? ( n pos 'dir -- ? )        \ are there n positions, pos the first?
	SWAP to TRUE ROT 1 DO OVER EXECUTE AND LOOP SWAP DROP
;
: line, ( n pos 'dir -- )
	SWAP to SWAP 0 DO here , DUP EXECUTE DROP LOOP DROP
;
: lines-towards, ( n 'dir -- )
	$scanPositions @ 0 DO
		2DUP I SWAP line-fits? IF 2DUP I SWAP line, ENDIF
	LOOP
	2DROP
;
: lines, ( n -- )
	DUP ['] n lines-towards, DUP ['] ne lines-towards,
	DUP ['] e lines-towards,     ['] se lines-towards,
;
: count-line ( addr n -- mine theirs )  \ pieces on the n positions from addr
	>R 0 0 ROT R> CELLS OVER + SWAP DO
		I @ player-at DUP IF current-player = IF SWAP 1+ SWAP ELSE 1+ ENDIF ELSE DROP ENDIF
	CELLSIZE +LOOP
;
