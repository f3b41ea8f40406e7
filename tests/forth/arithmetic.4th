\ Arithmetic.  Cells are 32 bits and wrap.
T{ 1 2 + -> 3 }T
T{ 0 0 + -> 0 }T
T{ -1 1 + -> 0 }T
T{ 2147483647 1 + -> -2147483648 }T
T{ -2147483648 -1 + -> 2147483647 }T
T{ -2147483648 -2147483648 + -> 0 }T
T{ 5 3 - -> 2 }T
T{ 3 5 - -> -2 }T
T{ -2147483648 1 - -> 2147483647 }T
T{ 0 -2147483648 - -> -2147483648 }T
T{ 6 7 * -> 42 }T
T{ -6 7 * -> -42 }T
T{ 100000 100000 * -> 1410065408 }T
T{ 65536 65536 * -> 0 }T
T{ -2147483648 -1 * -> -2147483648 }T
T{ 46341 46341 * -> -2147479015 }T

\ Division truncates toward zero, the remainder has the sign of the dividend.
T{ 7 2 / -> 3 }T
T{ -7 2 / -> -3 }T
T{ 7 -2 / -> -3 }T
T{ -7 -2 / -> 3 }T
T{ 0 5 / -> 0 }T
T{ -2147483648 1 / -> -2147483648 }T
T{ 2147483647 -1 / -> -2147483647 }T
T{ -2147483648 2 / -> -1073741824 }T
T{ 7 2 MOD -> 1 }T
T{ -7 2 MOD -> -1 }T
T{ 7 -2 MOD -> 1 }T
T{ -7 -2 MOD -> -1 }T
T{ 6 3 MOD -> 0 }T
T{ 7 2 /MOD -> 1 3 }T
T{ -7 2 /MOD -> -1 -3 }T
T{ 7 -2 /MOD -> 1 -3 }T
T{ 1 0 / -> }T                  \ expect error: DivisionError
T{ 1 0 MOD -> }T                \ expect error: DivisionError
T{ 1 0 /MOD -> }T               \ expect error: DivisionError
T{ 1 1 0 */ -> }T               \ expect error: DivisionError
T{ 1 1 0 */MOD -> }T            \ expect error: DivisionError
T{ -2147483648 -1 / -> }T       \ expect error: DivisionError
T{ -2147483648 -1 MOD -> }T     \ expect error: DivisionError
T{ -2147483648 -1 /MOD -> }T    \ expect error: DivisionError
T{ -2147483648 1 -1 */ -> }T    \ expect error: DivisionError

\ No double-width intermediate: the product wraps first.
T{ 2 3 4 */ -> 1 }T
T{ -7 3 2 */ -> -10 }T
T{ 100000 100000 1000 */ -> 1410065 }T
T{ 1000000 3000000 2000000 */ -> 1056 }T
T{ 7 3 2 */MOD -> 1 10 }T
T{ -7 3 2 */MOD -> -1 -10 }T
T{ 65536 65536 7 */MOD -> 0 0 }T

T{ 1 1+ -> 2 }T
T{ 2147483647 1+ -> -2147483648 }T
T{ 1 1- -> 0 }T
T{ -2147483648 1- -> 2147483647 }T
T{ 1 2+ -> 3 }T
T{ 2147483647 2+ -> -2147483647 }T
T{ 1 2- -> -1 }T
T{ -2147483648 2- -> 2147483646 }T
T{ 21 2* -> 42 }T
T{ -21 2* -> -42 }T
T{ 1073741824 2* -> -2147483648 }T
T{ -2147483648 2* -> 0 }T
T{ 7 2/ -> 3 }T
T{ -7 2/ -> -3 }T
T{ -1 2/ -> 0 }T
T{ 1 2/ -> 0 }T
T{ -2147483648 2/ -> -1073741824 }T

T{ 1 2 MAX -> 2 }T
T{ 2 1 MAX -> 2 }T
T{ -2147483648 2147483647 MAX -> 2147483647 }T
T{ 1 2 MIN -> 1 }T
T{ 2 1 MIN -> 1 }T
T{ -1 1 MIN -> -1 }T
T{ -2147483648 2147483647 MIN -> -2147483648 }T
T{ 5 NEGATE -> -5 }T
T{ 0 NEGATE -> 0 }T
T{ -2147483648 NEGATE -> -2147483648 }T
T{ 5 ABS -> 5 }T
T{ -5 ABS -> 5 }T
T{ -2147483648 ABS -> -2147483648 }T

VARIABLE v
T{ 5 v ! v ++ v @ -> 6 }T
T{ v -- v -- v @ -> 4 }T
T{ 2147483647 v ! v ++ v @ -> -2147483648 }T
T{ v -- v @ -> 2147483647 }T
T{ 1 v ! 41 v +! v @ -> 42 }T
T{ -42 v +! v @ -> 0 }T
T{ 2147483647 v ! 1 v +! v @ -> -2147483648 }T
T{ 0 ++ -> }T                   \ expect error: AddressError
T{ 1 0 +! -> }T                 \ expect error: AddressError
