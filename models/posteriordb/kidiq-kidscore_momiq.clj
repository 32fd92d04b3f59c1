;; SPDX-License-Identifier: Apache-2.0
;; Linear regression: the test scores of children on the IQ of their mothers.
(defquery kidscore [kid_score mom_iq]
  (let [[b1 b2 :as beta] [(sample (flat)) (sample (flat))]
        sigma (sample (half-cauchy 2.5))]
    (map (fn [score iq] (observe (normal (+ b1 (* b2 iq)) sigma) score)) kid_score mom_iq)
    (predict :beta beta)
    (predict :sigma sigma)))
