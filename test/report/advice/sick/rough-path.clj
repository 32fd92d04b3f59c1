; Neighbours of a path hold each other: nothing to do with a regression.
; run: -a lmh -n 500 --chains 4 --seed 1
; expect: -a nuts
; never: regression
; never: predictors
(defquery rough-path
  (let [path (reduce (fn [xs _] (conj xs (sample (normal (peek xs) 0.05))))
                     [(sample (normal 0 5))] (range 30))]
    (doseq [[i y] [[5 2.0] [15 2.2] [25 2.1]]] (observe (normal (nth path i) 0.05) y))
    (predict :path path)))
