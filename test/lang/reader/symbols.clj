;; Symbols as data.
;; Same in Clojure.
'x ;; expect: x
'a/b ;; expect: a/b
'+ ;; expect: +
'->x ;; expect: ->x
'*dyn* ;; expect: *dyn*
'x' ;; expect: x'
(symbol "made") ;; expect: made
(name 'a/b) ;; expect: "b"
