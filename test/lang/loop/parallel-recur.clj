;; All arguments of recur are evaluated before any is bound.
;; Same in Clojure.
(loop [a 1 b 2 n 0] (if (= n 3) [a b] (recur b a (inc n)))) ;; expect: [2 1]
(loop [a 0 b 1 n 10] (if (zero? n) a (recur b (+ a b) (dec n)))) ;; expect: 55
