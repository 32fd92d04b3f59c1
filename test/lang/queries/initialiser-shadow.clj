;; In its initialiser the name still means the function.
(defquery q [xs] (let [count (count xs) first (first xs)] [count first]))
(:result (first (doquery :importance q [[7 8 9]]))) ;; expect: [3 7]
