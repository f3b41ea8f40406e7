\ Dictionary, headers, outer interpreter.
: probe 5 ;
T{ LATEST NFA>CFA ' probe = -> -1 }T
T{ CURRENT @ @ LATEST = -> -1 }T
T{ LATEST NFA>CFA LATEST - -> 12 }T
T{ LATEST NFA>LFA LATEST - -> 8 }T
T{ LATEST NFA>PFA ' probe CFA>PFA = -> -1 }T
T{ ' probe CFA>NFA LATEST = -> -1 }T
T{ ' probe CFA>LFA ' probe - -> -4 }T
T{ ' probe CFA>PFA PFA>NFA LATEST = -> -1 }T
T{ ' probe CFA>NFA @ TYPE -> }T             \ expect: "probe"
: next-one ;
T{ ' next-one CFA>LFA @ ' probe CFA>NFA = -> -1 }T
\ The second cell of a header contains the flags; bit 0 marks an immediate word.
T{ ' probe CFA>NFA 4 + @ 1 AND -> 0 }T
: now ; IMMEDIATE
T{ ' now CFA>NFA 4 + @ 1 AND -> 1 }T

\ 44 is the code of the comma.
: comma-word 44 WORD PAD TYPE ;
T{ comma-word abc,5 -> 5 }T                 \ expect: "abc"
: blank-word 32 WORD PAD TYPE ;
T{ blank-word    abc 5 -> 5 }T              \ expect: "abc"
: lookup -FIND PAD TYPE ;
T{ lookup probe ' probe CFA>NFA = -> -1 }T  \ expect: "probe"
T{ lookup nosuch -> 0 }T                    \ expect: "nosuch"
: number-text (NUMBER) PAD TYPE ;
T{ 1234 number-text -> }T             \ expect: "1234"
T{ -7 number-text -> }T               \ expect: "-7"
T{ 0 number-text -> }T                \ expect: "0"

: victim 1 ;
HERE CONSTANT mark
T{ FORGET victim victim -> }T               \ expect error: UndefinedWord victim
T{ mark -> }T                               \ expect error: UndefinedWord mark
T{ probe -> 5 }T
VARIABLE before HERE before !
: temp 1 2 3 ;
T{ FORGET temp HERE before @ - -> 0 }T
: temp2 ;
T{ ' temp2 (FORGET) HERE before @ - -> 0 }T
T{ temp2 -> }T                              \ expect error: UndefinedWord temp2
1 C, HERE before !
: temp3 4 ;
T{ temp3 FORGET temp3 HERE before @ - -> 4 0 }T
3 ALLOT
T{ FORGET nosuch -> }T                      \ expect error: UndefinedWord nosuch
T{ FORGET DUP -> }T                         \ expect error: ContextError this would remove words of the library
\ FORGET removes newer words from all word lists.
VOCABULARY others
: earlier 5 ;
others DEFINITIONS
: inner 6 ;
FORGET earlier
: after 7 ;
T{ after -> 7 }T
T{ inner -> }T                              \ expect error: UndefinedWord inner
FORTH DEFINITIONS
T{ earlier -> }T                            \ expect error: UndefinedWord earlier
T{ probe -> 5 }T
\ After FORGET of the current vocabulary, new words are defined in FORTH.
VOCABULARY passing passing DEFINITIONS
FORGET passing
: at-home 8 ;
FORTH
T{ at-home -> 8 }T
T{ ' axiomFence CFA>NFA @ TYPE axiomFence -> }T \ expect: "axiomFence"

T{ BASE @ -> 10 }T
T{ HEX BASE @ DECIMAL -> 16 }T
T{ OCTAL BASE @ DECIMAL -> 8 }T
T{ BINARY BASE @ DECIMAL -> 2 }T
T{ HEX FF DECIMAL -> 255 }T
T{ HEX aB DECIMAL -> 171 }T
T{ HEX -FF DECIMAL -> -255 }T
T{ HEX 7FFFFFFF DECIMAL -> 2147483647 }T
T{ HEX -80000000 DECIMAL -> -2147483648 }T
T{ BINARY 101 DECIMAL -> 5 }T
T{ OCTAL 17 DECIMAL -> 15 }T
T{ HEX 80000000 -> }T                       \ expect error: UndefinedWord 80000000
DECIMAL
T{ HEX FFFFFFFF -> }T                       \ expect error: UndefinedWord FFFFFFFF
DECIMAL
T{ BINARY 2 -> }T                           \ expect error: UndefinedWord 2
DECIMAL
T{ +5 -0 007 -> 5 0 7 }T
T{ $FF -> }T                                \ expect error: UndefinedWord $FF
T{ 'a' -> }T                                \ expect error: UndefinedWord 'a'
T{ 1_000 -> }T                              \ expect error: UndefinedWord 1_000
T{ - -> }T                                  \ expect error: StackUnderflow
T{ + -> }T                                  \ expect error: StackUnderflow
T{ 1e3 -> }T                                \ expect error: UndefinedWord 1e3
: beef 1 ;
T{ HEX beef DECIMAL -> 1 }T
T{ 1 ( comment ) 2 -> 1 2 }T
T{ 1 ( a ( b ) 2 -> 1 2 }T
T{ 1 ( ) 2 ) 3 -> 1 3 }T
T{ (3) -> }T                                \ expect error: UndefinedWord (3)
1 . \ 2 .
3 .                                         \ expect: "1 3 "
T{ LOAD no-such-file.4th -> }T              \ expect error: ScriptFileNotFound no-such-file.4th
