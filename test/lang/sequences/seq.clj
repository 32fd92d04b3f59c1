;; seq of an empty collection is nil.
;; Same in Clojure.
(seq []) ;; expect: nil
(seq [1]) ;; expect: (1)
(seq {}) ;; expect: nil
(seq nil) ;; expect: nil
(seq "") ;; expect: nil
(sequence [1 2]) ;; expect: (1 2)
(seq? (seq [1])) ;; expect: true
