;; SPDX-License-Identifier: Apache-2.0
;; Counts with too many zeros.
(defquery zeros
  (let [rate (sample (gamma 2 1))
        share (sample (beta 1 1))]
    (doseq [y [0 0 3 0 2 4 0 0 1 3]]
      (let [always (sample (flip share))]
        (observe (poisson (if always 0.001 rate)) y)))
    (predict :rate rate)))
