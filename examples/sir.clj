;; SPDX-License-Identifier: Apache-2.0
;; Influenza in a boarding school, 1978: how many of 763 boys were in bed on each of 14 days. Susceptible, infected, recovered;
;; one boy is infected on day 0.
;; chancel infer examples/sir.clj --data examples/data/influenza.csv
(def boys 763)
(def steps-a-day 4)

;; The derivatives of susceptible and infected boys by time.
(defn slope [beta gamma [s i]]
  (let [infections (/ (* beta s i) boys)
        recoveries (* gamma i)]
    [(- infections) (- infections recoveries)]))

;; One step of the classical Runge-Kutta method.
(defn step [beta gamma state]
  (let [h (/ 1.0 steps-a-day)
        go (fn [state slopes by] (mapv (fn [x d] (+ x (* by d))) state slopes))
        k1 (slope beta gamma state)
        k2 (slope beta gamma (go state k1 (/ h 2)))
        k3 (slope beta gamma (go state k2 (/ h 2)))
        k4 (slope beta gamma (go state k3 h))]
    (mapv (fn [x a b c d] (+ x (* (/ h 6) (+ a (* 2 b) (* 2 c) d)))) state k1 k2 k3 k4)))

(defquery sir [in_bed]
  (let [beta (sample (half-normal 2))
        gamma (sample (half-normal 1))
        spread (sample (exponential 5))
        next-day (fn [state] (nth (iterate (fn [s] (step beta gamma s)) state) steps-a-day))]
    (reduce (fn [state n]
              (let [[_ infected :as today] (next-day state)]
                (observe (neg-binomial infected (/ spread)) n)
                today))
            [(- boys 1.0) 1.0]
            in_bed)
    (predict :r0 (/ beta gamma))
    (predict :days-ill (/ gamma))
    (predict :spread spread)))
