;; recur goes back to the function.
;; Same in Clojure.
((fn [n acc] (if (zero? n) acc (recur (dec n) (+ acc n)))) 100 0) ;; expect: 5050
(defn sum-to [n acc] (if (zero? n) acc (recur (dec n) (+ acc n))))
(sum-to 100000 0) ;; expect: 5000050000
((fn [x & more] (if more (recur (+ x (first more)) (next more)) x)) 1 2 3) ;; expect: 6
