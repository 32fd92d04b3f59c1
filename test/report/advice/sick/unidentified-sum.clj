; Only a sum is observed, and the priors of both parts are flat.
; run: -a nuts -n 300 --chains 4 --seed 1
; expect: R_hat of :a
; expect: an improper prior: give it a proper one
; never: regression
; never: --warmup 2000
(defquery unidentified-sum
  (let [a (sample (flat))
        b (sample (flat))]
    (doseq [y [4.1 5.2 4.7]] (observe (normal (+ a b) 1) y))
    (predict :a a)
    (predict :sum (+ a b))))
