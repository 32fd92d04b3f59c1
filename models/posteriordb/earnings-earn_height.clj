;; SPDX-License-Identifier: Apache-2.0
;; Linear regression in raw units, badly scaled on purpose: yearly earnings (dollars) on height (inches).
(defquery earn-height [earn height]
  (let [[b1 b2 :as beta] [(sample (flat)) (sample (flat))]
        sigma (sample (half-flat))]
    (doseq [[e h] (map vector earn height)]
      (observe (normal (+ b1 (* b2 h)) sigma) e))
    (predict :beta beta)
    (predict :sigma sigma)))
