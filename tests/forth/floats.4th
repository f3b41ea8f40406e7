\ Floats.  Single precision, a cell each, on the parameter stack.
\ The bits of 1.0 are 3F800000 in hexadecimal, those of -0.5 are BF000000.
T{ 1. -> 1065353216 }T
T{ -0.5 -> -1090519040 }T
T{ .5 -> 0.5 }T
T{ 3. -> 3.0 }T
T{ -1.5e3 -> -1500.0 }T
T{ 1.5 2.25 F+ -> 3.75 }T
T{ 1.5 2.25 F- -> -0.75 }T
T{ 1.5 -2.0 F* -> -3.0 }T
T{ 1.0 4.0 F/ -> 0.25 }T
T{ 7.5 2.0 FMOD -> 1.5 }T
T{ -7.5 2.0 FMOD -> -1.5 }T
T{ 1.0 2.0 FMIN -> 1.0 }T
T{ 2.0 -1.0 FMIN -> -1.0 }T
T{ 1.0 2.0 FMAX -> 2.0 }T
T{ 1.5 FNEGATE -> -1.5 }T
T{ -1.5 FABS 1.5 FABS -> 1.5 1.5 }T
T{ 2.7 FLOOR -2.1 FLOOR -> 2.0 -3.0 }T
T{ 2.1 CEIL -2.7 CEIL -> 3.0 -2.0 }T
T{ 9.0 FSQRT -> 3.0 }T
T{ 0.0 FEXP -> 1.0 }T
T{ 1.0 FLN -> 0.0 }T
T{ 1000.0 FLOG -> 3.0 }T
T{ 0.0 FSIN 0.0 FCOS 0.0 FTAN -> 0.0 1.0 0.0 }T
T{ 0.0 FASIN 1.0 FACOS 0.0 FATAN -> 0.0 0.0 0.0 }T
T{ 1.0 FATAN 4.0 F* F. -> }T            \ expect: "3.141593 "
T{ 1.0 FASIN 2.0 F* F. -> }T            \ expect: "3.141593 "
T{ -1.0 FACOS F. -> }T                  \ expect: "3.141593 "
T{ 1.0 FEXP F. -> }T                    \ expect: "2.718282 "
T{ 2.0 FSQRT F. -> }T                   \ expect: "1.414214 "
T{ 10.0 FLN F. -> }T                    \ expect: "2.302585 "
T{ 1.0 FSIN F. 1.0 FCOS F. 1.0 FTAN F. -> }T \ expect: "0.841471 0.5403023 1.557408 "
T{ 1.0 1.0 F= 1.0 2.0 F= -> -1 0 }T
T{ 1.0 1.0 F<> 1.0 2.0 F<> -> 0 -1 }T
T{ 1.0 2.0 F< 2.0 1.0 F< -1.0 1.0 F< -> -1 0 -1 }T
T{ 1.0 2.0 F> 2.0 1.0 F> -> 0 -1 }T
T{ 1.0 1.0 F<= 2.0 1.0 F<= -> -1 0 }T
T{ 1.0 1.0 F>= 1.0 2.0 F>= -> -1 0 }T
T{ 0.0 F0= 1.0 F0= -> -1 0 }T
T{ 0.0 F0<> 1.0 F0<> -> 0 -1 }T
T{ -1.0 F0< 0.0 F0< 1.0 F0< -> -1 0 0 }T
T{ 1.0 F0> 0.0 F0> -1.0 F0> -> -1 0 0 }T
T{ 5 N>F -5 N>F 0 N>F -> 5.0 -5.0 0.0 }T
T{ 2.7 F>N -2.7 F>N 0.0 F>N -> 2 -2 0 }T
\ F>N truncates to 64 bits and returns the low 32 bits; numbers beyond 64 bits give 0.
T{ 3.e9 F>N 1.e10 F>N -1.e10 F>N -306783378. F>N -> -1294967296 1410065408 -1410065408 -306783392 }T
T{ 4294967296. F>N -9223372036854775808. F>N 9223372036854775808. F>N 1.e38 F>N -> 0 0 0 0 }T
T{ 1. 0. F/ F>N -1. FSQRT F>N -> 0 0 }T
T{ -5 N>F F. -1 N>F F. -5 N>F 2. F+ F. -> }T \ expect: "-5. -1. -3. "
T{ 16777217 N>F -> 16777216.0 }T
T{ 1.5 F. 6.0 F. 0.5 F. -> }T           \ expect: "1.5 6. 0.5 "
T{ 1.0e7 F. 0.00001 F. -> }T            \ expect: "1.e+007 1.e-005 "
T{ 1.0 3.0 F/ F. -> }T                  \ expect: "0.3333333 "
T{ 1234567.0 F. 12345678.0 F. -> }T     \ expect: "1234567 1.234568e+007 "
T{ -2.5 F. 0.1 F. -> }T                 \ expect: "-2.5 0.1 "
T{ 0.09999 F. 0.05 F. -0.001 F. -> }T   \ expect: "9.999e-002 5.e-002 -1.e-003 "
T{ 100000. F. 1000000. F. 1.e38 F. -> }T \ expect: "100000. 1000000 1.e+038 "
T{ 0. F. -0. F. -> }T                   \ expect: "0. 0. "
T{ 1. 0. F/ F. -1. 0. F/ F. -1. FSQRT F. -> }T \ expect: "1.#INF -1.#INF -1.#IND "
FVARIABLE fv
CREATE table 1.5 F, 2.5 F,
T{ 3.5 fv F! fv F@ -> 3.5 }T
T{ table F@ table 1 FCELLS + F@ -> 1.5 2.5 }T
T{ 3 FCELLS -> 12 }T
T{ 1.5 FDUP -> 1.5 1.5 }T
T{ 1.5 2.5 FDROP -> 1.5 }T
T{ 1.5 2.5 FSWAP -> 2.5 1.5 }T
T{ 1.5 2.5 FOVER -> 1.5 2.5 1.5 }T
T{ 1.0 2.0 3.0 FROT -> 2.0 3.0 1.0 }T
T{ 1.0 2.0 3.0 2 FPICK -> 1.0 2.0 3.0 1.0 }T
T{ 1.0 2.0 F2DUP -> 1.0 2.0 1.0 2.0 }T
T{ 1.0 2.0 3.0 F2DROP -> 1.0 }T
T{ F+ -> }T                             \ expect error: StackUnderflow
