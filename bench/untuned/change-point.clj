;; SPDX-License-Identifier: Apache-2.0
;; An unknown number of change points: each segment between two of them has a level of its own.
;; draws: 300000
(def ys [1.38 1.80 0.87 1.25 2.34 2.54 2.21 2.05 2.97 0.31 2.23 2.49 1.80 3.20 1.08 1.73 3.69 1.19 1.53 1.60 1.67 0.22
         1.60 2.65 0.62 -0.89 -1.95 -0.29 0.21 -1.01 -0.28 -0.77 -2.88 -1.07 -0.32 -2.44 -2.19 -2.20 -2.18 -0.75 -0.38
         -2.78 -0.38 -0.95 -1.79 2.91 3.18 4.81 3.87 2.53 3.80 4.70 4.46 3.92 6.32 4.20 5.13 4.09 4.61 3.53])

(defquery change-point [ys]
  (let [n (count ys)
        changes (sort (repeatedly (sample (poisson 2)) (fn [] (sample (uniform-continuous 0 n)))))
        level (mem (fn [segment] (sample (normal 0 3))))]
    (dorun
     (map-indexed (fn [t y]
                    (let [segment (count (filter (fn [c] (<= c t)) changes))]
                      (observe (normal (level segment) 1) y)))
                  ys))
    (predict :changes (count changes))
    (predict :first (level 0))))

(def change-point-value [ys])
