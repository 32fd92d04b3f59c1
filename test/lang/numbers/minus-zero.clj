;; Zeros with signs, less and plus the integer zero.
;; Same in Clojure.
(defn less-nothing [x] (- x 0))
(less-nothing -0.0) ;; expect: -0.0
(less-nothing 0.0) ;; expect: 0.0
(less-nothing 7) ;; expect: 7
(defn and-nothing [x] (+ x 0))
(and-nothing -0.0) ;; expect: 0.0
