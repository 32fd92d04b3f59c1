;; Locals may have the names of library functions and distributions.
(defquery q [count] (let [normal 5 list [count normal]] list))
(:result (first (doquery :importance q [2]))) ;; expect: [2 5]
