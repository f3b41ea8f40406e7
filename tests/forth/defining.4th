\ Defining words and the address of the body.
: body-offset ( 'x -- n )  \ Bytes from the code field of a word to its body.
	DUP CFA>PFA SWAP - ;
T{ 5 CONSTANT five five -> 5 }T
T{ -2147483648 CONSTANT least least -> -2147483648 }T
T{ ' five CFA>PFA @ -> 5 }T
T{ ' five body-offset -> 8 }T
CREATE table 1 , 2 , 3 ,
T{ table @ table 4 + @ table 8 + @ -> 1 2 3 }T
T{ ' table body-offset -> 4 }T
T{ ' table CFA>PFA table = -> -1 }T
VARIABLE v
T{ v @ -> 0 }T
T{ ' v body-offset -> 4 }T
T{ ' v CFA>PFA v = -> -1 }T
TIMER t
T{ ' t body-offset -> 4 }T
T{ HERE t - 8 = -> -1 }T
: colon 1 ;
T{ ' colon body-offset -> 4 }T
: colon2 five colon ;
T{ ' colon2 CFA>PFA @ ' five = -> -1 }T
T{ ' colon2 CFA>PFA 4 + @ ' colon = -> -1 }T

: const <BUILDS , DOES> @ ;
T{ 42 const answer answer -> 42 }T
T{ ' answer body-offset -> 8 }T
: vector <BUILDS 2* CELLS ALLOT DOES> SWAP CELLS + ;
4 vector vec
T{ 7 2 vec ! 2 vec @ -> 7 }T
T{ 3 vec 0 vec - -> 12 }T
: counter <BUILDS 0 , DOES> DUP ++ @ ;
counter a counter b
T{ a a b a -> 1 2 1 3 }T
: outer <BUILDS , DOES> @ 10 * ;
: maker outer ;
T{ 4 maker four four -> 40 }T
: str-named S" named" HEADER , DOES> @ 1+ ;
T{ 9 str-named -> }T
T{ named -> 10 }T
T{ ' named body-offset -> 8 }T

DEFER action
T{ action -> }T                 \ expect error: UnsetDefer action
T{ ' five IS action action -> 5 }T
: set-action ['] least IS action ;
T{ set-action action -> -2147483648 }T
T{ ' action body-offset -> 8 }T
T{ ' action CFA>PFA @ ' least = -> -1 }T
T{ ' five ' action (IS) action -> 5 }T
T{ ' colon ' action CFA>PFA ! action -> 1 }T
T{ 6 IS five five -> 6 }T
T{ 5 IS nosuch -> }T            \ expect error: UndefinedWord nosuch

5 [] cells5
T{ 3 4 cells5 ! 4 cells5 @ -> 3 }T
T{ 1 cells5 0 cells5 - -> 4 }T
T{ ' cells5 body-offset -> 8 }T
T{ ' cells5 CFA>PFA 0 cells5 = -> -1 }T

FVARIABLE fv
T{ 1.5 fv F! fv F@ -> 1.5 }T
T{ ' fv body-offset -> 4 }T
T{ 2.5 FCONSTANT fc fc -> 2.5 }T
T{ ' fc body-offset -> 8 }T

\ A redefinition affects only code that is compiled later.
: same 1 ;
: uses-same same ;
: same 2 ;
T{ uses-same same -> 1 2 }T
: same same 10 * ;
T{ same -> 20 }T

VOCABULARY hidden-words
T{ CONTEXT @ CURRENT @ = -> -1 }T
hidden-words DEFINITIONS
: secret 77 ;
FORTH DEFINITIONS
T{ secret -> }T                 \ expect error: UndefinedWord secret
T{ hidden-words secret FORTH -> 77 }T
T{ colon -> 1 }T
T{ CREATE -> }T                 \ expect error: EndOfSource
