;; = compares type and value, == only the value.
;; Same in Clojure.
(= 1 1) ;; expect: true
(= 1 1.0) ;; expect: false
(== 1 1.0) ;; expect: true
(= 1/2 0.5) ;; expect: false
(= 2 4/2) ;; expect: true
(= 1 1 1) ;; expect: true
(= 1 1 2) ;; expect: false
(not= 1 2) ;; expect: true
(= 0.0 -0.0) ;; expect: true
