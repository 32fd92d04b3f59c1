; run: -a nuts -n 500 --chains 4 --seed 1
(defquery line
  (let [height (sample (normal 0 10))
        slope (sample (normal 0 10))
        sd (sample (exponential 1))]
    (doseq [[x y] [[-2 -3.1] [-1 -1.2] [0 1.1] [1 2.8] [2 5.2]]]
      (observe (normal (+ height (* slope x)) sd) y))
    (predict :height height)
    (predict :slope slope)))
