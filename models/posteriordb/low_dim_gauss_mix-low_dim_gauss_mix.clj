;; SPDX-License-Identifier: Apache-2.0
;; A mixture of two normal distributions whose means are in order; the component of each point is summed out.
(defquery gauss-mix [y]
  (let [mu (sample (ordered (normal 0 2) 2))
        sigma [(sample (half-normal 2)) (sample (half-normal 2))]
        theta (sample (beta 5 5))
        components (mixture [theta (- 1 theta)] (mapv normal mu sigma))]
    (map (fn [x] (observe components x)) y)
    (predict :mu mu)
    (predict :sigma sigma)
    (predict :theta theta)))
