;; In a query, recur need not be in tail position: it calls the loop.
(defquery q [] (loop [n 3] (if (zero? n) [] (conj (recur (dec n)) n))))
(:result (first (doquery :importance q []))) ;; expect: [1 2 3]
(defquery r [] (loop [n 4] (if (< n 1) 0 (+ (sample (dirac n)) (recur (dec n))))))
(:result (first (doquery :importance r []))) ;; expect: 10
