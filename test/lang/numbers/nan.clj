;; NaN is not equal to itself.
;; Same in Clojure.
(= ##NaN ##NaN) ;; expect: false
(< ##NaN 1) ;; expect: false
(> ##NaN 1) ;; expect: false
(== ##NaN ##NaN) ;; expect: false
