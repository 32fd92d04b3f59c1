;; SPDX-License-Identifier: Apache-2.0
;; A linear regression with an intercept for each of many groups, non-centred.
(defquery groups [J group x y]
  (let [mu (sample (normal 0 5))
        tau (sample (half-normal 2))
        slope (sample (normal 0 2.5))
        sigma (sample (half-normal 5))
        effect (vec (repeatedly J (fn [] (* tau (sample (normal 0 1))))))]
    (map (fn [g x-now y-now]
           (observe (normal (+ mu (nth effect (dec g)) (* slope x-now)) sigma) y-now))
         group x y)
    (predict :mu mu)
    (predict :tau tau)
    (predict :slope slope)
    (predict :sigma sigma)))
