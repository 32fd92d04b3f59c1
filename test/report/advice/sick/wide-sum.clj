; Only a sum is observed, and the priors of both parts are wide.
; run: -a rmh -n 3000 --chains 2 --seed 1
; expect: the observations determine little but their sum
; expect: -a nuts
; never: regression
(defquery wide-sum
  (let [a (sample (normal 0 100))
        b (sample (normal 0 100))]
    (doseq [y [4.1 5.2 4.7]] (observe (normal (+ a b) 1) y))
    (predict :a a)
    (predict :b b)))
