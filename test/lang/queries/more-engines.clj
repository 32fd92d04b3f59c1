;; The remaining engines.
(defquery q [] (let [x (sample (dirac 7))] (observe (normal x 1) 7) x))
(:result (first (doquery :pgas q [] :number-of-particles 5))) ;; expect: 7
(:result (first (doquery :ipmcmc q [] :number-of-particles 5 :number-of-nodes 4))) ;; expect: 7
(:result (first (doquery :pcascade q [] :number-of-particles 5))) ;; expect: 7
(:result (first (doquery :plmh q []))) ;; expect: 7
(:result (first (doquery :palmh q []))) ;; expect: 7
