;; reduce with and without a start, with reduced.
(defquery q [] [(reduce (fn [a b] (+ a (sample (dirac b)))) [1 2 3]) (reduce (fn [a b] (+ a (sample (dirac b)))) 10 [1 2]) (reduce + [5]) (reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) 0 [1 2 3 4]) (reduce conj () [1 2])])
(:result (first (doquery :importance q []))) ;; expect: [6 13 5 3 (2 1)]
