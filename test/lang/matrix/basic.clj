;; The matrix library under its usual alias.
(require '[clojure.core.matrix :as m])
(m/mmul [[1 2] [3 4]] [[1 0] [0 1]]) ;; expect: [[1 2] [3 4]]
(m/transpose [[1 2] [3 4]]) ;; expect: [[1 3] [2 4]]
(m/dot [1 2 3] [4 5 6]) ;; expect: 32
(m/shape [[1 2 3] [4 5 6]]) ;; expect: [2 3]
(m/det [[1 2] [3 4]]) ;; expect: -2.0
