\ The engine: words that the article's search needs and the article omits, then its two fragments.
\ The words are MaxDepth (the size of arrays), a counter of evaluations, and the evaluation that
\ rules/splut.md describes in section 13.

3 CONSTANT MaxDepth
VARIABLE EvalCount

: column ( pos -- n ) 9 MOD ;
: row    ( pos -- n ) 9 / ;
: distance ( pos pos -- n )
	2DUP column SWAP column - ABS >R
	row SWAP row - ABS R> +
;

\ Own pieces count three times; pieces of other players count once, with the opposite sign.
: weigh ( n player -- n' ) current-player = IF 3 * ELSE NEGATE ENDIF ;

\ A troll is worth the more, the nearer the stones are: minus the sum of its distances from them.
: troll-worth ( pos -- n )
	0 81 0 DO
		I not-empty-at? IF
			I piece-type-at is-stone-type? IF OVER I distance - ENDIF
		ENDIF
	LOOP
	SWAP DROP
;
: worth ( pos -- n )
	DUP piece-type-at
	DUP WIZARD = IF DROP DROP 1000 ELSE
	DUP DWARF  = IF DROP DROP 100 ELSE
	    TROLL  = IF troll-worth ELSE DROP 0
	ENDIF ENDIF ENDIF
;
: Eval ( -- score )
	0 81 0 DO
		I not-empty-at? IF I worth I player-at weigh + ENDIF
	LOOP
;

LOAD generic-alpha-beta-clipping.fragment
LOAD custom-engine.fragment
