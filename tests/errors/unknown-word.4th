: twice ( n -- n )
  2 * ;
: four ( n -- n )
  twice Twice ;   \ expect error: unknown word `Twice`
