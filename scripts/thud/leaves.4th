\ Short lists at the leaves of a search.

\ There a list is made that nobody looks into, but to see whether it is empty.  With hundreds of moves that
\ would take more time than all the rest, so when it has some the other pieces may be left out.
VARIABLE able                           \ the list has a move of a piece
VARIABLE one-will-do                    \ it only matters whether there is any

: leaf? ( -- ? ) $ply @ DUP 0> SWAP $iterationDepth @ >= AND ;
: new-list ( -- ) able OFF leaf? one-will-do ! ;        \ to be run before each generation
: enough? ( -- ? ) able @ one-will-do @ AND ;

\ Moves lie at HERE, which goes up with each.  `with-moves` runs a word that adds some, and looks.
: with-moves ( 'word -- ) enough? IF DROP ELSE HERE SWAP EXECUTE HERE <> IF able ON ENDIF ENDIF ;
