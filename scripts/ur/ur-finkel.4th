\ The Royal Game of Ur by the rules of Irving Finkel: four dice, rosettes give another throw.

LOAD ur.4th
rules=finkel
