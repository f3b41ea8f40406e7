: give-up ( -- )
  ABORT ;   \ expect error: ABORT
give-up
