;; Matrices in a query.
(require '[clojure.core.matrix :as m])
(defquery q [] (m/mmul [[2 0] [0 2]] (sample (dirac [1 2]))))
(:result (first (doquery :importance q []))) ;; expect: [2 4]
