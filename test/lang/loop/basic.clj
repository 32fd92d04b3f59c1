;; loop and recur.
;; Same in Clojure.
(loop [i 0] (if (< i 10) (recur (inc i)) i)) ;; expect: 10
(loop [i 0 acc []] (if (< i 3) (recur (inc i) (conj acc i)) acc)) ;; expect: [0 1 2]
(loop [] 5) ;; expect: 5
(loop [x 1 y (+ x 1)] [x y]) ;; expect: [1 2]
(loop [n 5 f 1] (if (pos? n) (recur (dec n) (* f n)) f)) ;; expect: 120
