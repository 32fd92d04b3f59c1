;; SPDX-License-Identifier: Apache-2.0
;; Logistic regression of a hundred thousand rows, rows of a matrix.
(defquery logistic-long [X y]
  (let [alpha (sample (normal 0 5))
        beta (vec (repeatedly (count (first X)) (fn [] (sample (normal 0 2.5)))))]
    (doseq [[row outcome] (map vector X y)]
      (observe (bernoulli-logit (+ alpha (dot row beta))) outcome))
    (predict :alpha alpha)
    (predict :beta beta)))
