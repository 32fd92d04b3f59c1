;; SPDX-License-Identifier: Apache-2.0
;; Paths that many particles keep over many observes, so that garbage is collected while they stand in rows: vectors of
;; states and of numbers. No branch depends on a draw, so that rows need no heads.
(defquery long-paths [observations laws]
  (loop [ys observations
         states [(sample (discrete [1 2 3]))]
         numbers [(sample (normal 0 2))]]
    (if (empty? ys)
      (do
        (predict :states (apply + states))
        (predict :numbers (apply + numbers))
        (predict :last (peek numbers)))
      (let [state (sample (get laws (peek states)))
            x (sample (normal 1 2))]
        (observe (normal x 2) (first ys))
        (recur (rest ys) (conj states state) (conj numbers x))))))

(def long-paths-value
  [(mapv (fn [i] (* 3 (sin (* 0.7 i)))) (range 300))
   [(discrete [0.1 0.5 0.4]) (discrete [0.2 0.2 0.6]) (discrete [0.15 0.15 0.7])]])
