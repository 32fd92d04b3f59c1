;; Variables with defaults, and a constructor that sets them.
(defproc urn [a b] [seen 0] (produce [this] (flip (/ a (+ a b)))) (absorb [this x] (if x (urn (inc a) b (inc seen)) (urn a (inc b) (inc seen)))))
(def p (absorb (absorb (urn 1 1) true) false))
(:seen p) ;; expect: 2
(:a p) ;; expect: 2
(produce p) ;; expect: (flip 1/2)
