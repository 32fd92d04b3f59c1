;; defn and defm are one kind of function.
(defn coin [] (sample (flip 1)))
(defquery q [] (coin))
(:result (first (doquery :importance q []))) ;; expect: true
