;; SPDX-License-Identifier: Apache-2.0
;; Twenty observes, with 2000 draws before each: about 50 microseconds in the interpreter.
;; draws: 3000
(def ys [0.06 0.49 1.28 -0.25 0.74 -0.57 -2.02 0.74 -0.17 -2.48 -1.87 0.32 -1.18 1.29 0.34 -0.37 -0.96 0.32 -0.09 0.76])

(defm wander [x steps]
  (if (= steps 0)
    x
    (wander (sample (normal x 0.02)) (dec steps))))

(defquery slow-step [ys]
  (let [end (reduce (fn [x y]
                      (let [x (wander x 2000)]
                        (observe (normal x 1) y)
                        x))
                    0
                    ys)]
    (predict :end end)))

(def slow-step-value [ys])
