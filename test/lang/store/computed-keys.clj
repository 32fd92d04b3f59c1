;; Keys are evaluated.
(defquery q [] (doseq [i (range 3)] (store [:k i] (* i i))) (map (fn [i] (retrieve [:k i])) (range 3)))
(:result (first (doquery :importance q []))) ;; expect: (0 1 4)
