;; SPDX-License-Identifier: Apache-2.0
;; Draws that follow from earlier ones: a point mass, and functions made anew by every execution. One draw at a time cannot
;; move the first; they have to follow.
(defquery points []
  (let [z (sample (flip 0.45))
        y (sample (dirac z))
        _ (observe (flip (if y 0.8 0.4)) true)
        f (sample (categorical [[(fn [] y) 0.5] [(fn [] (not y)) 0.5]]))]
    (observe (flip (if (f) 0.75 0.25)) true)
    (predict :z z)
    (predict :f (f))))
