\ Short lists at the leaves of a search.

\ A search uses the move list of a leaf only to test whether it is empty.  With hundreds of moves the generation
\ would dominate the time, so after the first moves the other pieces are skipped.
VARIABLE has-moves                      \ the list contains a move of a piece
VARIABLE for-leaf                       \ the list is a leaf's: only its emptiness matters

: leaf? ( -- ? ) $ply @ DUP 0> SWAP $iterationDepth @ >= AND ;
: new-list ( -- ) has-moves OFF leaf? for-leaf ! ;      \ to be called before each generation
: enough? ( -- ? ) has-moves @ for-leaf @ AND ;

\ Moves are stored at HERE, which each move increases.  `with-moves` runs a word that adds moves, and tests HERE.
: with-moves ( 'word -- ) enough? IF DROP ELSE HERE SWAP EXECUTE HERE <> IF has-moves ON ENDIF ENDIF ;
