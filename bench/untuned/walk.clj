;; SPDX-License-Identifier: Apache-2.0
;; A random walk, seen with noise; the size of its steps is unknown.
;; draws: 950000
(def ys [0.51 -0.23 -0.20 0.64 1.45 0.28 -0.67 -2.53 -3.18 -2.48 -1.59 -2.72 -3.15 -4.89 -3.01 -2.89 -2.89 0.15 0.44
         2.21 0.92 0.53 1.79 1.60 -0.74 2.35 4.41 4.52 2.89 2.93 4.98 2.22 3.80 4.35 5.38 3.93 2.32 1.46 4.70 4.58
         4.23 3.79 2.49 2.78 0.77 1.76 3.35 0.54 1.50 0.72])

(defquery walk [ys]
  (let [step (sample (gamma 2 2))
        end (reduce (fn [x y]
                      (let [x (sample (normal x step))]
                        (observe (normal x 0.5) y)
                        x))
                    0
                    ys)]
    (predict :step step)
    (predict :end end)))

(def walk-value [ys])
