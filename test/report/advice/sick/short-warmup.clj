; A Gaussian process, and too few steps to learn the scales of its posterior.
; run: -a nuts -n 200 --warmup 10 --chains 4 --seed 1
; expect: --warmup 1000
; never: regression
; never: ordered
(def at (range 0 5 0.5))
(defquery short-warmup
  (let [length (sample (log-normal 0 1))
        height (sample (log-normal 0 1))
        cov (mapv (fn [a] (mapv (fn [b]
                                  (+ (* height height (exp (/ (* -0.5 (- a b) (- a b)) (* length length))))
                                     (if (= a b) 1.0e-6 0)))
                                at))
                  at)
        f (sample (mvn (vec (repeat 10 0)) cov))]
    (doseq [[m x] (map vector f at)] (observe (normal m 0.1) (sin x)))
    (predict :length length)
    (predict :f f)))
