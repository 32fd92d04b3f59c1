;; A million turns.
;; Same in Clojure.
(loop [i 0] (if (< i 1000000) (recur (inc i)) i)) ;; expect: 1000000
(loop [i 0 s 0] (if (= i 100000) s (recur (inc i) (+ s i)))) ;; expect: 4999950000
