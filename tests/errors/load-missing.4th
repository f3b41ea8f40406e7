1 DROP
LOAD missing.4th   \ expect error: LOAD: no file `missing.4th`
