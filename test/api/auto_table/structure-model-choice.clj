;; SPDX-License-Identifier: Apache-2.0
;; Two models with different parameters.
(defquery choice
  (let [heavy (sample (flip 0.5))
        draw (if heavy
               (let [s (sample (gamma 2 1))] (fn [] (laplace 0 s)))
               (let [m (sample (normal 0 1)) s (sample (gamma 2 1))] (fn [] (normal m s))))]
    (doseq [y [0.2 -0.4 5.1 0.3 -0.1]]
      (observe (draw) y))
    (predict :heavy heavy)))
