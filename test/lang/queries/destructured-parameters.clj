;; Destructuring in the parameters of a query.
(defquery q [[a b] {:keys [c]}] (+ a b c))
(:result (first (doquery :importance q [[1 2] {:c 3}]))) ;; expect: 6
