;; SPDX-License-Identifier: Apache-2.0
;; A walk of a random number of steps: the number of draws of an execution is unbounded.
(defm walk [position steps]
  (if (sample (flip 0.3))
    [position steps]
    (walk (+ position (sample (uniform-discrete 0 2))) (inc steps))))

(defquery random-length []
  (let [[position steps] (walk 0 0)]
    (observe (normal position 1) 2.3)
    (predict :position position)
    (predict :steps steps)))
