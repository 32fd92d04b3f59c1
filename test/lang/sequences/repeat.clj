;; Repetition.
;; Same in Clojure.
(repeat 3 :x) ;; expect: (:x :x :x)
(take 2 (repeat 1)) ;; expect: (1 1)
(take 5 (cycle [1 2])) ;; expect: (1 2 1 2 1)
(repeatedly 2 (constantly 7)) ;; expect: (7 7)
(take 4 (iterate #(* 2 %) 1)) ;; expect: (1 2 4 8)
(count (repeatedly 3 #(rand))) ;; expect: 3
