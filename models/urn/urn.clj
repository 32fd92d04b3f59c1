;; SPDX-License-Identifier: Apache-2.0
;; Draws from an urn of unknown composition (beta-Bernoulli), and the next draw.
(defquery urn [draws]
  (let [p (sample (beta 2 3))]
    (doseq [draw draws]
      (observe (flip p) draw))
    (predict :p p)
    (predict :next (sample (flip p)))))

(def urn-value [[true true false true true false true]])
