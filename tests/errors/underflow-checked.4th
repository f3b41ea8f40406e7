\ do: load checked   (the test loads the script in checked mode)
: thief ( -- )
  DROP 1 ;   \ expect error: stack underflow
: host ( -- ) thief ;
host
