;; repeatedly n times.
(defquery q [] (repeatedly 3 (fn [] (sample (dirac 7)))))
(:result (first (doquery :importance q []))) ;; expect: (7 7 7)
(defquery fresh [] (count (distinct (repeatedly 20 #(sample (normal 0 1))))))
(:result (first (doquery :importance fresh []))) ;; expect: 20
