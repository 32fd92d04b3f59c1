;; A generator with lazy-seq.
;; Same in Clojure.
(defn numbers [n] (lazy-seq (cons n (numbers (inc n)))))
(take 3 (numbers 5)) ;; expect: (5 6 7)
(defn fibs [a b] (lazy-seq (cons a (fibs b (+ a b)))))
(take 10 (fibs 0 1)) ;; expect: (0 1 1 2 3 5 8 13 21 34)
(nth (fibs 0 1) 50) ;; expect: 12586269025
