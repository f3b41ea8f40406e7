\ Short lists at the leaves of a search.

\ A search uses the move list of a leaf only to test whether it is empty.  With hundreds of moves the generation
\ would dominate the time, so after the first moves the other pieces are skipped.
VARIABLE able                           \ the list has a move of a piece
VARIABLE one-will-do                    \ only the existence of a move matters

: leaf? ( -- ? ) $ply @ DUP 0> SWAP $iterationDepth @ >= AND ;
: new-list ( -- ) able OFF leaf? one-will-do ! ;        \ to be called before each generation
: enough? ( -- ? ) able @ one-will-do @ AND ;

\ Moves are stored at HERE, which each move increases.  `with-moves` runs a word that adds moves, and tests HERE.
: with-moves ( 'word -- ) enough? IF DROP ELSE HERE SWAP EXECUTE HERE <> IF able ON ENDIF ENDIF ;
