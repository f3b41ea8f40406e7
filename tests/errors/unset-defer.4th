DEFER later
: early ( -- )
  later ;   \ expect error: `later` is a DEFER that was never set (IS)
early
