;; Collections whose parts are sampled.
(defquery q [] {:a (sample (dirac 1)) :b [(sample (dirac 2))] :c #{(sample (dirac 3))}})
(:result (first (doquery :importance q []))) ;; expect: {:a 1, :b [2], :c #{3}}
