;; Missing elements are nil.
(defquery q [a b] [a b])
(:result (first (doquery :importance q nil))) ;; expect: [nil nil]
