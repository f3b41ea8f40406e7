\ do: load checked
: thief ( -- )
  DROP 1 ;   \ expect error: stack underflow
: host ( -- ) thief ;
host
