\ do: load checked   (the test loads the script in checked mode)
3 [] tally[]
: count-up ( -- )
  4 0 DO
    I I tally[] !   \ expect error: array index out of range: index 3 of `tally[]`
  LOOP ;
count-up
