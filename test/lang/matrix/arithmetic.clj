;; Element by element.
(require '[clojure.core.matrix :as m])
(m/add [1 2] [10 20]) ;; expect: [11 22]
(m/sub [10 20] [1 2]) ;; expect: [9 18]
(m/mul [1 2] [3 4]) ;; expect: [3 8]
(m/mul 2 [3 4]) ;; expect: [6 8]
(m/div [4 6] 2) ;; expect: [2 3]
