;; SPDX-License-Identifier: Apache-2.0
;; Linear regression on the columns of a matrix, without a constant.
(defquery regression [X y]
  (let [beta (vec (repeatedly (count (first X)) (fn [] (sample (normal 0 10)))))
        sigma (sample (half-normal 10))]
    (map (fn [row value] (observe (normal (reduce + (map * beta row)) sigma) value)) X y)
    (predict :beta beta)
    (predict :sigma sigma)))
