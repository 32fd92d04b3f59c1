;; apply of functions that sample and of constructors.
(defquery q [] [(apply (fn [a b] (sample (dirac (+ a b)))) [1 2]) (apply + 1 [2 3]) (sample (apply dirac [7]))])
(:result (first (doquery :importance q []))) ;; expect: [3 6 7]
