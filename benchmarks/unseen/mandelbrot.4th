\ The Mandelbrot set in fixed-point arithmetic with 8 fractional bits.
256 CONSTANT unit
VARIABLE cr
VARIABLE ci
: f* ( a b -- c ) * DUP 0< IF NEGATE unit / NEGATE ELSE unit / THEN ;
\ The number of steps until the point escapes, at most 60.  The loop also ends if bit 6 of x (4 PICK) is set and x is
\ not below 48: this condition is arbitrary, and not part of the definition of the set.
: escapes ( -- n )
  0 0 0 ( n x y )
  BEGIN
    2DUP DUP f* SWAP DUP f* 2DUP + 4 unit * < 4 PICK 64 AND IF 4 PICK 48 < ELSE 1 THEN AND 5 PICK 60 < AND
  WHILE
    SWAP - cr @ + ( n x y x' ) ROT ROT f* 2* ci @ + ROT 1+ ROT ROT
  REPEAT
  DROP DROP DROP DROP ;
: pixel ( column row -- n ) 8 * 256 - ci ! 6 * 512 - cr ! escapes ;
: run ( n -- sum ) 0 SWAP 0 DO 64 0 DO 128 0 DO I J pixel + LOOP LOOP 16777215 AND LOOP ;
