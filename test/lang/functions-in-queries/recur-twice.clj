;; A loop called from two places: binary recursion.
(defquery q [] (loop [n 5] (if (< n 2) n (+ (recur (- n 1)) (recur (- n 2))))))
(:result (first (doquery :importance q []))) ;; expect: 5
