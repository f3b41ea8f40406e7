: captures ( -- )
  1 DROP ;
1 0 captrues   \ expect error: unknown word `captrues`
