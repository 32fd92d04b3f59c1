;; Rest parameters are nil when there are none.
(defquery q [] (let [f (fn [x & xs] [x xs])] [(f 1) (f 1 2)]))
(:result (first (doquery :importance q []))) ;; expect: [[1 nil] [1 (2)]]
