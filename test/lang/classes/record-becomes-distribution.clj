;; A record that is given sample* and observe* is a distribution.
(defrecord Always [x])
(extend-type Always distribution
  (sample* [this] (:x this))
  (observe* [this v] (if (= v (:x this)) 0.0 Double/NEGATIVE_INFINITY)))
(sample* (->Always 3)) ;; expect: 3
(defquery q [] (observe (->Always 1) 1) (sample (->Always 5)))
(:result (first (doquery :importance q []))) ;; expect: 5
(satisfies? distribution (normal 0 1)) ;; expect: true
(satisfies? distribution (->Always 3)) ;; expect: true
(satisfies? distribution 5) ;; expect: false
(satisfies? random-process (CRP 1)) ;; expect: true
