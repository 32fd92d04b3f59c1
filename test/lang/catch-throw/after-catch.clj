;; After the catch is left its tag is gone.
(defquery q [] (catch :a 1) (catch :b (catch :a (throw :b 2))))
(:result (first (doquery :importance q []))) ;; expect: 2
