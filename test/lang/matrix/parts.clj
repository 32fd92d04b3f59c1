;; Rows, elements and sizes.
(require '[clojure.core.matrix :as m])
(m/mget [[1 2] [3 4]] 1 0) ;; expect: 3
(m/get-row [[1 2] [3 4]] 1) ;; expect: [3 4]
(m/row-count [[1 2] [3 4] [5 6]]) ;; expect: 3
(m/ecount [[1 2] [3 4]]) ;; expect: 4
(m/identity-matrix 2) ;; expect: [[1.0 0.0] [0.0 1.0]]
