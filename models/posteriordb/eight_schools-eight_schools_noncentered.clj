;; SPDX-License-Identifier: Apache-2.0
;; Eight schools: the effects of coaching, partially pooled, with the effects written as mean + scale * standard normal.
(defquery eight-schools [y sigma]
  (let [mu (sample (normal 0 5))
        tau (sample (half-cauchy 5))
        theta (mapv (fn [_] (+ mu (* tau (sample (normal 0 1))))) y)]
    (map (fn [effect measured error] (observe (normal effect error) measured)) theta y sigma)
    (predict :theta theta)
    (predict :mu mu)
    (predict :tau tau)))
