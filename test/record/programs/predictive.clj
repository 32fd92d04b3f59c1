;; SPDX-License-Identifier: Apache-2.0
;; Draws and branches after the last observe of some executions, with observes after them in others.

(defquery observed-later-or-not
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (if (> x 0) (observe (normal x 0.5) 1))
    (predict :x x)))

(defquery draw-observed-or-not
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (let [y (sample (normal 0 1))]
      (if (> x 0) (observe (normal y 0.5) 1))
      (predict :x x)
      (predict :y y))))

(defquery draw-decides
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (let [y (sample (normal 0 1))]
      (if (> y 0) (observe (normal y 0.2) 1))
      (predict :x x)
      (predict :y y))))

(defquery discrete-draw-decides
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (let [y (sample (flip 0.5))]
      (if y (observe (normal x 0.2) 2))
      (predict :x x)
      (predict :y y))))

(defquery factor-or-not
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 0.5)
    (let [y (sample (normal x 1))]
      (if (> y 0) (factor (- y)))
      (predict :y y))))

(defquery truly-predictive
  (let [x (sample (normal 0 1))
        s (sample (exponential 1))]
    (observe (normal x s) 0.5)
    (predict :x x)
    (predict :new (if (> x 0) (sample (normal x s)) (+ 1 (sample (exponential s)))))
    (predict :more (generate (normal (if (> s 1) x 0) 1)))))
