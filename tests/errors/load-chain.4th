1 DROP
  LOAD lib\Middle.4th   2 DROP
