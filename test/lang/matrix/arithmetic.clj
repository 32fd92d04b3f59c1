;; Element by element.
(require '[clojure.core.matrix :as m])
(m/add [1 2] [10 20]) ;; expect: [11.0 22.0]
(m/sub [10 20] [1 2]) ;; expect: [9.0 18.0]
(m/mul [1 2] [3 4]) ;; expect: [3.0 8.0]
(m/mul 2 [3 4]) ;; expect: [6.0 8.0]
(m/div [4 6] 2) ;; expect: [2.0 3.0]
