;; recur in the tail of let, when, cond and case.
;; Same in Clojure.
(loop [n 10] (let [m (dec n)] (when (pos? n) (if (= m 5) :five (recur m))))) ;; expect: :five
(loop [n 0] (cond (> n 5) n :else (recur (inc n)))) ;; expect: 6
(loop [n 0] (case n 3 :three (recur (inc n)))) ;; expect: :three
(loop [n 5] (if-let [m (when (pos? n) (dec n))] (recur m) n)) ;; expect: 0
(loop [n 3] (and (pos? n) (or (= n 1) (recur (dec n))))) ;; expect: true
