;; SPDX-License-Identifier: Apache-2.0
;; Linear regression with many predictors, rows of a matrix.
(defquery normal-wide [X y]
  (let [alpha (sample (normal 0 5))
        beta (vec (repeatedly (count (first X)) (fn [] (sample (normal 0 2.5)))))
        sigma (sample (half-normal 5))]
    (doseq [[row outcome] (map vector X y)]
      (observe (normal (+ alpha (reduce + (map * row beta))) sigma) outcome))
    (predict :alpha alpha)
    (predict :beta beta)
    (predict :sigma sigma)))
