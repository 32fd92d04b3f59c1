;; SPDX-License-Identifier: Apache-2.0
;; Weibull regression of times that are censored at a limit.
(defquery survival [X time limit]
  (let [alpha (sample (normal 0 2))
        beta (vec (repeatedly (count (first X)) (fn [] (sample (normal 0 1)))))
        shape (sample (gamma 2 1))]
    (doseq [[row t] (map vector X time)]
      (observe (censored (weibull shape (exp (+ alpha (reduce + (map * row beta))))) 0 limit) t))
    (predict :alpha alpha)
    (predict :beta beta)
    (predict :shape shape)))
