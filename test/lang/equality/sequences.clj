;; Sequences are equal when their elements are, whatever they are made of.
;; Same in Clojure.
(= [1 2] '(1 2)) ;; expect: true
(= [1 2] (list 1 2)) ;; expect: true
(= [1 2] [2 1]) ;; expect: false
(= (range 3) [0 1 2]) ;; expect: true
(= (map inc [1 2]) [2 3]) ;; expect: true
(= [] ()) ;; expect: true
(= [1] #{1}) ;; expect: false
(= nil ()) ;; expect: false
