;; SPDX-License-Identifier: Apache-2.0
;; A hidden semi-Markov model: a state lasts for a time of its own, then it changes to another one.
;; draws: 500000
(def ys [-1.03 -1.93 -2.13 0.61 4.34 1.85 4.90 2.34 2.53 1.82 1.88 2.57 2.70 1.85 3.10 3.65 2.35 -0.57 -0.84 -1.12
         -0.57 -2.54 -2.53 -2.29 -1.70 -2.40 3.06 5.07 -2.30 -3.21 -1.92 1.74 -1.46 -0.25 4.06 3.23 -2.37 -1.24 3.56
         2.58 -1.39 0.43 -0.57 -0.87 0.53 0.24 0.68 -1.76 0.80 -0.09 -2.69 0.10 -2.89 -2.49 -1.88 -2.72 -3.53 -3.19
         2.25 1.62])

(def means {:low -2.0 :middle 0.0 :high 3.0})
(def stays {:low 3.0 :middle 5.0 :high 4.0})
(def changes {:low {:middle 0.7 :high 0.3}
              :middle {:low 0.5 :high 0.5}
              :high {:low 0.4 :middle 0.6}})

(defn transition [state]
  (categorical (changes state)))

(defquery semi-markov [ys]
  (loop [ys ys
         state (sample (categorical {:low 1 :middle 1 :high 1}))
         left (sample (poisson (stays state)))
         states []]
    (if (seq ys)
      (do
        (observe (normal (means state) 1) (first ys))
        (if (> left 0)
          (recur (rest ys) state (dec left) (conj states state))
          (let [next-state (sample (transition state))]
            (recur (rest ys) next-state (sample (poisson (stays next-state))) (conj states state)))))
      (do
        (predict :last (peek states))
        (predict :high (count (filter (fn [s] (= s :high)) states)))))))

(def semi-markov-value [ys])
