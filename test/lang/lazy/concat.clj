;; concat and mapcat of infinite sequences.
;; Same in Clojure.
(take 3 (concat [1] (range))) ;; expect: (1 0 1)
(take 4 (mapcat #(list % %) (range))) ;; expect: (0 0 1 1)
(take 3 (interleave (range) (repeat :x))) ;; expect: (0 :x 1)
(take 2 (partition 2 (range))) ;; expect: ((0 1) (2 3))
(take 3 (keep #(if (odd? %) %) (range))) ;; expect: (1 3 5)
(take 3 (remove odd? (range))) ;; expect: (0 2 4)
(take 3 (map vector (range) [:a :b :c :d])) ;; expect: ([0 :a] [1 :b] [2 :c])
