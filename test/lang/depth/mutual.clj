;; Mutual recursion, a hundred thousand deep.
(declare down)
(defn up [n] (if (zero? n) 0 (inc (down (dec n)))))
(defn down [n] (if (zero? n) 0 (inc (up (dec n)))))
(up 100000) ;; expect: 100000
