;; Inverse and product.
(require '[clojure.core.matrix :as m])
(m/inverse [[2 0] [0 4]]) ;; expect: [[0.5 0.0] [0.0 0.25]]
(m/mmul [[1 2] [3 4]] [1 1]) ;; expect: [3 7]
(m/outer-product [1 2] [3 4]) ;; expect: [[3 4] [6 8]]
