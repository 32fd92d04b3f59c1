; run: -a lmh -n 20000 --chains 2 --seed 1
(defquery dice
  (let [a (sample (uniform-discrete 1 7))
        b (sample (uniform-discrete 1 7))]
    (observe (flip (if (> a b) 0.8 0.4)) true)
    (predict :sum (+ a b))))
