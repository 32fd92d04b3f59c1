;; Mapping to sequences and joining them.
;; Same in Clojure.
(mapcat reverse [[1 2] [3 4]]) ;; expect: (2 1 4 3)
(mapcat #(repeat % %) [1 2 3]) ;; expect: (1 2 2 3 3 3)
(mapcat list [1 2] [:a :b]) ;; expect: (1 :a 2 :b)
(apply concat [[1] [2]]) ;; expect: (1 2)
(flatten [1 [2 [3 [4]]]]) ;; expect: (1 2 3 4)
(flatten []) ;; expect: ()
