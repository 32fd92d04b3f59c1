; run: -a nuts -n 500 --chains 4 --seed 1
(defquery schools
  (let [mu (sample (normal 0 10))
        tau (sample (half-cauchy 5))
        theta (mapv (fn [_] (+ mu (* tau (sample (normal 0 1))))) (range 8))]
    (doseq [[t y sd] (map vector theta [28 8 -3 7 -1 1 18 12] [15 10 16 11 9 11 10 18])]
      (observe (normal t sd) y))
    (predict :mu mu)
    (predict :theta theta)))
