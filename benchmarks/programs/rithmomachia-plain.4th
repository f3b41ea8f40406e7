\ Rithmomachia as the article's program counts it, before it got an evaluation.

\ Owns that there is none: all positions are worth the same until somebody has won.
LOAD rithmomachia-counted.4th

: OnEvaluate ( -- score ) 0 ;
