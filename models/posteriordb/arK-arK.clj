;; SPDX-License-Identifier: Apache-2.0
;; A time series in which each value depends on the K values before it.
(defquery autoregression [K y]
  (let [alpha (sample (normal 0 10))
        beta (vec (repeatedly K (fn [] (sample (normal 0 10)))))
        sigma (sample (half-cauchy 2.5))]
    (doseq [t (range K (count y))]
      (let [earlier (map (fn [k] (nth y (- t 1 k))) (range K))]
        (observe (normal (+ alpha (reduce + (map * beta earlier))) sigma) (nth y t))))
    (predict :alpha alpha)
    (predict :beta beta)
    (predict :sigma sigma)))
