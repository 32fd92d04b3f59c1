;; SPDX-License-Identifier: Apache-2.0
;; Draws that are not on the whole real line, independent of each other but for the last two: a share, a rate, a point of a
;; simplex, a scale and what is below it. An engine that moves on the real line and forgets what a transform does to the
;; density is far off.
(defquery supports []
  (let [share (sample (beta 2 3))
        rate (sample (gamma 2 1))
        weights (sample (dirichlet [1 2 3]))
        top (sample (gamma 3 1))
        below (sample (uniform-continuous 0 top))]
    (observe (binomial 10 share) 7)
    (observe (poisson rate) 4)
    (observe (discrete weights) 0)
    (observe (discrete weights) 2)
    (predict :share share)
    (predict :rate rate)
    (predict :first (nth weights 0))
    (predict :last (nth weights 2))
    (predict :top top)
    (predict :below below)))
