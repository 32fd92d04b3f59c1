;; The mode of the draws themselves, whatever the transform to the real line: beta(9, 6), gamma(6, 2) and normal(1, 2/3).
(defquery q []
  (let [share (sample (beta 2 3))
        rate (sample (gamma 2 1))
        weights (sample (dirichlet [1 2 3]))
        x (sample (normal 0 1))]
    (observe (binomial 10 share) 7)
    (observe (poisson rate) 4)
    (observe (discrete weights) 0)
    (observe (discrete weights) 2)
    (observe (normal x (sqrt 2)) 3)
    [share rate (first weights) (second weights) x]))
(def states (doquery :map q []))
(count states) ;; expect: 1
(map (fn [a b] (< (abs (- a b)) 1e-5)) (:result (first states)) [(/ 8 13) 2.5 0.2 0.2 1.0]) ;; expect: (true true true true true)
;; Of two modes the higher one, and the name in capitals.
(defquery two [] (let [x (sample (normal 0 10))] (factor (log-sum-exp [(- (* 4 (- x 5) (- x 5))) (- -1 (* 4 (+ x 5) (+ x 5)))])) x))
(< 4.9 (:result (first (doquery :MAP two [] :starts 20))) 5) ;; expect: true
