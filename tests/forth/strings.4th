\ Strings and output.
: abc S" abc" ;
: hello S" hello" ;
CREATE buffer 64 ALLOT
T{ abc "COUNT -> 3 }T
T{ hello "COUNT -> 5 }T
T{ abc TYPE -> }T                   \ expect: "abc"
T{ abc "SIZE -> 8 }T
: ab S" ab" ;
T{ ab "SIZE -> 4 }T
T{ hello "SIZE -> 8 }T
: a S" a" ;
T{ a "SIZE -> 4 }T
T{ abc abc "= -> -1 }T
: Abc S" Abc" ;
T{ abc Abc "= -> 0 }T
T{ abc ab "= -> 0 }T
T{ ab abc "= -> 0 }T
T{ abc buffer "MOVE buffer "COUNT buffer TYPE -> 3 }T   \ expect: "abc"
T{ buffer 3 + C@ -> 0 }T
T{ hello buffer "MOVE abc buffer "MOVE buffer TYPE -> }T \ expect: "abc"
T{ abc 1+ "COUNT -> 2 }T
: two-blanks ."   x" ;
T{ two-blanks -> }T                 \ expect: "  x"
T{ ." now" -> }T                    \ expect: "now"
: say ." a ; b" ;
T{ say -> }T                        \ expect: "a ; b"
: lines ." a
b" ;
T{ lines -> }T                      \ expect: "a\nb"
T{ S" abc" TYPE -> }T               \ expect: "TYPE"
\ The cell 6513249 is the text "abc" in line: the bytes 97, 98 and 99, then a zero.
: in-line (S") [ 6513249 , 0 , ] ;
T{ in-line TYPE -> }T               \ expect: "abc"
: in-line2 (.") [ 6513249 , 0 , ] ;
T{ in-line2 -> }T                   \ expect: "abc"
T{ 0 buffer C! buffer "COUNT -> 0 }T
T{ buffer buffer "= -> -1 }T

T{ 65 EMIT BL EMIT 66 EMIT -> }T    \ expect: "A B"
T{ BL LF -> 32 10 }T
T{ SPACE -> }T                      \ expect: " "
T{ CR -> }T                         \ expect: "\n"
T{ TAB -> }T                        \ expect: "\t"
T{ 0 . -> }T                        \ expect: "0 "
T{ -1 . -> }T                       \ expect: "-1 "
T{ 2147483647 . -2147483648 . -> }T \ expect: "2147483647 -2147483648 "
T{ HEX -1 . FF . DECIMAL -> }T      \ expect: "FFFFFFFF FF "
T{ OCTAL 17 . -1 . DECIMAL -> }T    \ expect: "17 37777777777 "
T{ BINARY 101 . DECIMAL -> }T       \ expect: "101 "
T{ 5 4 .R -> }T                     \ expect: "   5"
T{ 12345 2 .R -> }T                 \ expect: "12345"
T{ -7 6 .R -> }T                    \ expect: "    -7"
T{ 5 0 .R -> }T                     \ expect: "5"
T{ HEX -1 A .R DECIMAL -> }T        \ expect: "  FFFFFFFF"
T{ 1 2 3 .S -> 1 2 3 }T             \ expect: "1 2 3 "
T{ .S -> }T                         \ expect: ""
\ After printing, the text of a number is at PAD, without the blank.
: five-at-pad BL WORD 5 . PAD TYPE ;
T{ five-at-pad hello -> }T              \ expect: "5 5"
: half-at-pad BL WORD 0.5 F. PAD TYPE ;
T{ half-at-pad hello -> }T              \ expect: "0.5 0.5"
: number-at-pad 12345 (NUMBER) -7 . PAD TYPE ;
T{ number-at-pad -> }T                  \ expect: "-7 -7"
T{ 12345 . PAD TYPE -> }T               \ expect: "12345 TYPE"
