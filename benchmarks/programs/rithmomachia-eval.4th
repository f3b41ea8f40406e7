\ Rithmomachia as the article's program counts it, with the article's evaluation.

\ Owns the evaluation: the balance of material, and nothing about how near a victory is.
LOAD rithmomachia-counted.4th

: OnEvaluate ( -- score ) current-player material-balance ;
