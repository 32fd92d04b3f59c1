;; cons onto a lazy tail.
;; Same in Clojure.
(take 2 (cons 0 (iterate inc 1))) ;; expect: (0 1)
(first (cons 1 (lazy-seq (throw (ex-info "not reached" {}))))) ;; expect: 1
