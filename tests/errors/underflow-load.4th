1 DROP
DROP   \ expect error: stack underflow
