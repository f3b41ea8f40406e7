\ Loaded by load-chain.4th.
: broken ( -- )
  1 0 / ;   \ expect error: division by zero
broken
