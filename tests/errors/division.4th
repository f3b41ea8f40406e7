: share ( n people -- n )
  / ;   \ expect error: division by zero
: feast ( -- n )
  12 0 share ;
feast
