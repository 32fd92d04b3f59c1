;; Data nested a hundred thousand deep: made, compared, taken apart.
(defn nest [n] (loop [i 0 x nil] (if (= i n) x (recur (inc i) [x]))))
(defn depth [x] (loop [x x n 0] (if x (recur (first x) (inc n)) n)))
(depth (nest 100000)) ;; expect: 100000
(= (nest 1000) (nest 1000)) ;; expect: true
