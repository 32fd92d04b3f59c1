;; SPDX-License-Identifier: Apache-2.0
;; Inference inside a query whose program depends on draws of the outer one.

(defquery inner [shift]
  (let [z (sample (flip 0.3))]
    (observe (normal (if z shift 0) 1) 1)
    z))

(defquery argument-is-a-draw []
  (let [x (sample (normal 0 1))
        z (sample ((conditional inner :smc :number-of-particles 5) x))]
    (observe (normal (if z x 0) 1) 0.5)
    (predict :z z)))

(defquery closure-over-a-draw []
  (let [x (sample (normal 0 1))
        q (query [] (let [z (sample (flip 0.3))] (observe (normal (if z x 0) 1) 1) z))
        z (sample ((conditional q :smc :number-of-particles 5)))]
    (observe (normal (if z x 0) 1) 0.5)
    (predict :z z)))

(defquery fixed-inner []
  (let [x (sample (normal 0 1))
        z (sample ((conditional inner :smc :number-of-particles 5) 1))]
    (observe (normal (if z x 0) 1) 0.5)
    (predict :z z)))

(defdist two-points [p] [] (sample* [this] (sample* (flip p))))
(defquery own-distribution-depends-on-a-draw []
  (let [x (sample (normal 0 1))
        z (sample (two-points (if (> x 0) 0.1 0.9)))]
    (observe (normal (if z x 0) 1) 0.5)
    (predict :z z)))
