;; SPDX-License-Identifier: Apache-2.0
;; A random walk with unknown steps and unknown error.
(defquery walk
  (let [step (sample (gamma 2 2))
        error (sample (gamma 2 4))]
    (reduce (fn [x y]
              (let [x (sample (normal x step))]
                (observe (normal x error) y)
                x))
            0.0
            [0.4 1.1 0.9 1.8 2.2 2.9 2.4 3.1 3.9 4.2])
    (predict :step step)))
