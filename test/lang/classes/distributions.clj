;; The types of distributions and processes have Anglican's names.
(class (normal 0 1)) ;; expect: anglican.runtime.normal-distribution
(instance? anglican.runtime.normal-distribution (normal 0 1)) ;; expect: true
(instance? anglican.runtime.normal-distribution (flip 0.5)) ;; expect: false
(instance? normal-distribution (normal 0 1)) ;; expect: true
(instance? anglican.runtime.distribution (flip 0.5)) ;; expect: true
(class (CRP 1)) ;; expect: anglican.runtime.CRP-process
(instance? anglican.runtime.random-process (CRP 1)) ;; expect: true
(defdist point [x] (sample* [this] x) (observe* [this v] (if (= x v) 0.0 Double/NEGATIVE_INFINITY)))
(class (point 1)) ;; expect: user.point-distribution
(instance? point-distribution (point 1)) ;; expect: true
(defprotocol Described (describe [this]))
(extend-protocol Described
  anglican.runtime.normal-distribution (describe [d] [:normal (:mean d)])
  anglican.runtime.flip-distribution (describe [d] :flip)
  point-distribution (describe [d] [:point (:x d)])
  anglican.runtime.distribution (describe [d] :other)
  String (describe [s] (str "text " s))
  Number (describe [n] :number)
  nil (describe [_] :nothing)
  Object (describe [_] :thing))
(map describe [(normal 2 1) (flip 0.5) (point 3) (gamma 1 1) "a" 1 1/2 nil :k]) ;; expect: ([:normal 2] :flip [:point 3] :other "text a" :number :number :nothing :thing)
(defquery q [] (describe (normal (sample (uniform-discrete 5 6)) 1)))
(:result (first (doquery :importance q []))) ;; expect: [:normal 5]
