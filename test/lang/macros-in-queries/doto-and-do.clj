;; do, doto and nested lets.
(defquery q [] (do (observe (flip 0.5) true) (let [a (sample (dirac 1))] (do (let [b (sample (dirac 2))] (+ a b))))))
(:result (first (doquery :importance q []))) ;; expect: 3
