\ Evaluation, in hundredths of a point: the areas as they are, and what groups and empty points promise.

\ A region of empty points next to both players belongs to no player yet.  Each of its points counts a little for the player
\ with more stones next to it.
: stones-beside ( pos -- n )            \ own stones next to a point minus those of the enemy
	0 SWAP neighbours BEGIN DUP @ DUP 0< NOT WHILE
		DUP empty-at? IF DROP ELSE friend-at? IF SWAP 1+ SWAP ELSE SWAP 1- SWAP ENDIF ENDIF CELLSIZE +
	REPEAT 2DROP
;
: sign ( n -- -1|0|1 ) DUP 0> SWAP 0< - NEGATE ;
: claim ( pos -- n ) stones-beside sign 30 * ;

\ The points of a region next to one player are in its area already.  Filling them gains nothing and takes away eyes.
: eye-worth ( player -- n ) DUP IF current-player = IF 8 ELSE -8 ENDIF ENDIF ;
: empty-worth ( pos -- n )
	DUP group-at border DUP -1 = IF DROP claim ELSE SWAP DROP eye-worth ENDIF
;

\ Stones on the third and fourth lines surround the most, those on the edge of the board little.
CREATE line-worths -30 , -5 , 20 , 20 , 10 ,
: on-line ( i n -- line ) 1- OVER - MIN ;       \ 0 on the edge
: edge-distance ( pos -- n ) $columns @ /MOD $rows @ on-line SWAP $columns @ on-line MIN ;
: stone-worth ( pos -- n ) edge-distance 4 MIN CELLS line-worths + @ ;

\ Groups with few liberties are in danger.  A group with one liberty can be captured at once if its enemy is to move.
: safety ( group own? -- n )
	OVER liberties 1 = IF IF -40 ELSE -80 ENDIF SWAP size * ELSE DROP liberties 5 MIN 10 * ENDIF
;
: group-worth ( group -- n )
	DUP first-in-group friend-at? IF TRUE safety ELSE FALSE safety NEGATE ENDIF
;

: point-worth ( pos -- n )
	DUP empty-at? IF empty-worth ELSE DUP stone-worth SWAP friend-at? NOT IF NEGATE ENDIF ENDIF
;
: lead ( -- n ) double-lead 50 * current-player White = IF NEGATE ENDIF ;

: OnEvaluate ( -- score )
	note-groups
	lead
	#points 0 DO I point-worth + LOOP
	groups @ 1+ 1 DO I first-in-group empty-at? NOT IF I group-worth + ENDIF LOOP
;
