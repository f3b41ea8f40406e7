\ The return stack has 4,096 cells.  The report names the innermost calls and counts the others.
: again ( n -- n )
  1+ RECURSE ;   \ expect error: return stack overflow
0 again
