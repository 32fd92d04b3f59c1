;; SPDX-License-Identifier: Apache-2.0
;; A first-order autoregression seen with noise: 500 observations, three unknown parameters.
;; chancel infer models/state-space/ar1.clj --data models/state-space/data/ar1.json -a pmmh -o ':parameters [:phi :sigma :tau]'
(defquery ar1 [ys]
  (let [phi (sample :phi (uniform-continuous 0 1))
        sigma (sample :sigma (half-normal 1))
        tau (sample :tau (half-normal 1))]
    (reduce (fn [x y]
              (let [x (sample (normal (* phi x) sigma))]
                (observe (normal x tau) y)
                x))
            0
            ys)
    (predict :phi phi)
    (predict :sigma sigma)
    (predict :tau tau)))
