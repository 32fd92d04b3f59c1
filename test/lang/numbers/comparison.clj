;; Chains of comparisons.
;; Same in Clojure.
(< 1 2 3) ;; expect: true
(< 1 3 2) ;; expect: false
(<= 1 1 2) ;; expect: true
(> 3 2 1) ;; expect: true
(>= 3 3 2) ;; expect: true
(< 1 1.5) ;; expect: true
(< 1/3 0.34) ;; expect: true
(== 1 1.0) ;; expect: true
(== 1/2 0.5) ;; expect: true
(< 1) ;; expect: true
