;; SPDX-License-Identifier: Apache-2.0
;; The concentration is a draw; draws and observes alternate.
(defquery concentration
  (let [alpha (sample (gamma 1 10))
        mu (mem (fn [t] (sample (normal 0 5))))
        sd (mem (fn [t] (sample (gamma 5 5))))]
    (loop [ys [-2.8 3.1 -3.2 2.9 -3.0] crp (CRP alpha) zs []]
      (if (seq ys)
        (let [z (sample (produce crp))]
          (observe (normal (mu z) (sd z)) (first ys))
          (recur (rest ys) (absorb crp z) (conj zs z)))
        (do (predict :alpha alpha)
            (predict :mu (mu (first zs))))))))
