;; SPDX-License-Identifier: Apache-2.0
;; The mean of a series changes at an unknown time.
(defquery change-point
  (let [when (sample (uniform-continuous 0 10))
        before (sample (normal 0 3))
        after (sample (normal 0 3))]
    (doseq [[t y] (map vector (range 10) [0.1 -0.3 0.2 0.4 -0.1 2.1 1.8 2.3 1.9 2.2])]
      (observe (normal (if (< t when) before after) 0.5) y))
    (predict :when when)
    (predict :after after)))
