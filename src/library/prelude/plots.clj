;; SPDX-License-Identifier: Apache-2.0
;; Plots that call functions of the program. The others are natives (library/views.cpp).

(defn plot
  "The graph of a function between two numbers."
  [f bounds & options]
  (let [low (double (first bounds))
        high (double (second bounds))
        n (max 2 (long (get (apply hash-map options) :plot-points 100)))
        step (/ (- high low) (dec n))]
    (apply %function-plot (mapv (fn [i] (let [x (+ low (* i step))] [x (f x)])) (range n)) options)))
