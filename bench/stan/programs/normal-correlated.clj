;; SPDX-License-Identifier: Apache-2.0
;; Linear regression whose predictors have correlations up to 0.99.
(defquery normal-correlated [X y]
  (let [alpha (sample (normal 0 5))
        beta (vec (repeatedly (count (first X)) (fn [] (sample (normal 0 2.5)))))
        sigma (sample (half-normal 5))]
    (doseq [[row outcome] (map vector X y)]
      (observe (normal (+ alpha (reduce + (map * row beta))) sigma) outcome))
    (predict :alpha alpha)
    (predict :beta beta)
    (predict :sigma sigma)))
