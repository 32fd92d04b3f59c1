;; An inner posterior that is enumerated has exact probabilities.
(defquery inner [p]
  (let [here (sample (flip p))]
    (observe (flip p) here)
    here))
(< (abs (- 0.9 (exp (observe* ((conditional inner :enumerate) 0.75) true)))) 1e-12) ;; expect: true
(exp (observe* ((conditional inner :enumerate) 0.5) false)) ;; expect: 0.5
(observe* ((conditional inner :enumerate) 0.5) 7) ;; expect: ##-Inf
