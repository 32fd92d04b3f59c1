; run: -a nuts -n 1000 --chains 4 --seed 1
(defquery coin
  (let [bias (sample (beta 1 1))]
    (doseq [heads [true true false true true false true]] (observe (flip bias) heads))
    (predict :bias bias)))
