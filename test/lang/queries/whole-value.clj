;; A single symbol gets the whole value.
(defquery q x x)
(:result (first (doquery :importance q 42))) ;; expect: 42
(:result (first (doquery :importance q [1 2]))) ;; expect: [1 2]
(:result (first (doquery :importance q {:a 1}))) ;; expect: {:a 1}
