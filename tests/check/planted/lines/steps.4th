( steps of all Lines games, without a fault )
: walk ( -- ) n verify empty? verify from here move add-move ;
