;; SPDX-License-Identifier: Apache-2.0
;; A polynomial of unknown degree.
(defquery polynomial
  (let [degree (sample (uniform-discrete 0 4))
        weights (mapv (fn [k] (sample (normal 0 2))) (range (inc degree)))]
    (doseq [[x y] [[-2 4.2] [-1 1.1] [0 -0.1] [1 0.8] [2 4.1]]]
      (observe (normal (reduce + (map-indexed (fn [k w] (* w (pow x k))) weights)) 0.5) y))
    (predict :degree degree)))
