;; Cutting into pieces.
;; Same in Clojure.
(partition 2 [1 2 3 4 5]) ;; expect: ((1 2) (3 4))
(partition 2 1 [1 2 3]) ;; expect: ((1 2) (2 3))
(partition 2 2 [:pad] [1 2 3]) ;; expect: ((1 2) (3 :pad))
(partition-all 2 [1 2 3]) ;; expect: ((1 2) (3))
(partition-by odd? [1 1 2 3]) ;; expect: ((1 1) (2) (3))
(partition-all 2 1 [1 2 3]) ;; expect: ((1 2) (2 3) (3))
