;; @ is deref.
;; Same in Clojure.
(def box (atom 5))
@box ;; expect: 5
(+ @box 1) ;; expect: 6
@(delay 3) ;; expect: 3
