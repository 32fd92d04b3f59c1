;; Nuts for continuous draws, steps for the discrete one, which decides how many there are.
(defquery q []
  (let [two (sample (flip 0.5))
        a (sample (normal 0 1))
        b (if two (sample (normal 0 1)) 0.0)]
    (observe (normal (+ a b) 0.5) 2)
    two))
(defn share [move] (let [draws (take 1500 (doquery :anneal q [] :number-of-particles 1500 :move move))]
                     (/ (count (filter :result draws)) 1500)))
;; Densities of 2 with variances 2.25 and 1.25: the first has 0.6466 of their sum.
(def exact (let [one (exp (observe* (normal 0 (sqrt 2.25)) 2)) other (exp (observe* (normal 0 (sqrt 1.25)) 2))]
             (/ one (+ one other))))
(< (abs (- (share :nuts) exact)) 0.08) ;; expect: true
(< (abs (- (share :block) exact)) 0.08) ;; expect: true
(< (abs (- (share :single-site) exact)) 0.08) ;; expect: true
