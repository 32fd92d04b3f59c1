;; Sequences of expressions.
;; Same in Clojure.
(do 1 2 3) ;; expect: 3
(do) ;; expect: nil
(do (def in-do 4) in-do) ;; expect: 4
in-do ;; expect: 4
