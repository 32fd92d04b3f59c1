;; SPDX-License-Identifier: Apache-2.0
;; Linear regression with an interaction: the logarithm of yearly earnings on height and sex.
(defquery logearn-interaction [earn height male]
  (let [[b1 b2 b3 b4 :as beta] (vec (repeatedly 4 (fn [] (sample (flat)))))
        sigma (sample (half-flat))]
    (doseq [[e h m] (map vector earn height male)]
      (observe (normal (+ b1 (* b2 h) (* b3 m) (* b4 h m)) sigma) (log e)))
    (predict :beta beta)
    (predict :sigma sigma)))
