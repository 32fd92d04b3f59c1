;; Deep equality.
;; Same in Clojure.
(= {:a [1 {:b #{2}}]} {:a (list 1 {:b #{2}})}) ;; expect: true
(= [[1] [2]] '((1) (2))) ;; expect: true
