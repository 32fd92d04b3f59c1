;; A random walk of all draws together, tuned in its warm-up; floor has no gradient.
(defquery q []
  (let [x (sample (normal 0 10))
        y (sample (normal x 10))]
    (observe (normal (+ x y) 0.1) 3)
    (observe (normal (floor y) 0.5) 2)
    (predict :s (+ x y))))
(def sums (map (fn [s] (get (get-predicts s) :s)) (take 500 (doquery :block q [] :warmup 2000))))
(every? (fn [s] (< 2.4 s 3.6)) sums) ;; expect: true
(< 100 (count (distinct sums))) ;; expect: true
