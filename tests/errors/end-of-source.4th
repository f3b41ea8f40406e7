\ The last word reads a name and finds none.
1 CONSTANT
