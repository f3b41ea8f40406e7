( steps of all Lines games )
: walk ( -- ) n verify empty? verify from here move add-move ;
