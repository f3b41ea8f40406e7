\ x
: Strong-Engine ( -- ) Custom-Engine ;
