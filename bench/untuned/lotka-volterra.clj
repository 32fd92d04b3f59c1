;; SPDX-License-Identifier: Apache-2.0
;; Hares and lynxes: the stochastic Lotka-Volterra equations in ten Euler steps a year, counted once a year.
;; draws: 100000
(def counts
  [[37.9 2.8] [65.2 6.8] [92.0 17.8] [61.6 50.7] [24.8 61.5] [11.5 32.1] [8.1 17.1] [10.5 11.8]
   [18.1 6.5] [22.3 3.1] [31.8 2.6] [47.3 3.5] [85.4 3.8] [131.9 14.2] [66.2 81.5] [12.7 54.5]
   [2.5 34.1] [2.8 12.2] [3.5 8.5] [5.6 2.8]])

(def dt 0.1)

(defm step [[a b c d] [hares lynxes]]
  (let [growth (- (* a hares) (* b hares lynxes))
        change (- (* d hares lynxes) (* c lynxes))]
    [(max 0.1 (sample (normal (+ hares (* dt growth)) (* 0.02 hares))))
     (max 0.1 (sample (normal (+ lynxes (* dt change)) (* 0.02 lynxes))))]))

(defm year [rates animals steps]
  (if (= steps 0)
    animals
    (year rates (step rates animals) (dec steps))))

(defquery lotka-volterra [counts]
  (let [rates [(sample (log-normal (log 0.55) 0.2))
               (sample (log-normal (log 0.028) 0.2))
               (sample (log-normal (log 0.84) 0.2))
               (sample (log-normal (log 0.024) 0.2))]]
    (reduce (fn [animals [hares lynxes]]
              (let [[h l :as animals] (year rates animals 10)]
                (observe (log-normal (log h) 0.25) hares)
                (observe (log-normal (log l) 0.25) lynxes)
                animals))
            [30.0 4.0]
            counts)
    (predict :rates rates)))

(def lotka-volterra-value [counts])
