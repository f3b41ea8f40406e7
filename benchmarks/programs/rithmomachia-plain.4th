\ Rithmomachia with the targets of the article's program, without an evaluation.

\ Owns the constant evaluation: all undecided positions have the value 0.
LOAD rithmomachia-counted.4th

: OnEvaluate ( -- score ) 0 ;
