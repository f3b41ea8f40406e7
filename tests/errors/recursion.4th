\ The innermost call that fits is reported with the first callers; 4,096 return addresses fit.
: again ( n -- n )
  1+ RECURSE ;   \ expect error: return stack overflow
0 again
