;; SPDX-License-Identifier: Apache-2.0
;; Linear regression with an interaction: the test scores of children on the school degree and the IQ of their mothers.
(defquery kidscore-interaction [kid_score mom_hs mom_iq]
  (let [[b1 b2 b3 b4 :as beta] (vec (repeatedly 4 (fn [] (sample (flat)))))
        sigma (sample (half-cauchy 2.5))]
    (map (fn [score hs iq]
           (observe (normal (+ b1 (* b2 hs) (* b3 iq) (* b4 hs iq)) sigma) score))
         kid_score mom_hs mom_iq)
    (predict :beta beta)
    (predict :sigma sigma)))
