;; The same query under several engines.
(defquery q [] (let [x (sample (dirac 7))] (observe (normal x 1) 7) x))
(:result (first (doquery :smc q [] :number-of-particles 10))) ;; expect: 7
(:result (first (doquery :lmh q []))) ;; expect: 7
(:result (first (doquery :pgibbs q [] :number-of-particles 5))) ;; expect: 7
(:result (first (doquery :pimh q [] :number-of-particles 5))) ;; expect: 7
(:result (first (doquery :rmh q []))) ;; expect: 7
(:result (first (doquery :almh q []))) ;; expect: 7
