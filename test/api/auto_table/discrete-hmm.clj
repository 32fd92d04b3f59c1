;; SPDX-License-Identifier: Apache-2.0
;; Forty steps of a hidden chain of three states.
(defquery hidden
  (let [next-of [[0.8 0.15 0.05] [0.1 0.8 0.1] [0.05 0.15 0.8]]]
    (loop [t 0 state 0]
      (if (< t 40)
        (let [new (sample (discrete (nth next-of state)))]
          (observe (normal new 0.7) (mod (quot t 8) 3))
          (recur (inc t) new))
        (predict :last state)))))
