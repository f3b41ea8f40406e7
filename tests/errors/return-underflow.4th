: robber ( -- )
  R> DROP R> DROP   \ expect error: return stack underflow
  R> DROP ;
robber
