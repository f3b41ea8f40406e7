\ Rithmomachia with the targets and the evaluation of the article's program.

\ Owns the evaluation: the balance of material, without the distance to a victory.
LOAD rithmomachia-counted.4th

: OnEvaluate ( -- score ) current-player material-balance ;
