;; SPDX-License-Identifier: Apache-2.0
;; An epidemic in a town of 1000: susceptible, exposed, infectious and recovered people, with binomial transitions;
;; some of the new cases are reported.
;; draws: 150000
(def cases [0 0 1 1 0 0 3 2 5 1 1 5 5 10 5 3 5 12 7 9 15 10 13 16 23 20 17 19 17 20 18 16 19 15 15 15 14 9 7 9])

(def town 1000)

(defn chance [rate]
  (- 1 (exp (- rate))))

(defm day [{:keys [beta sigma gamma]} {:keys [s e i r]}]
  (let [exposed (sample (binomial s (chance (/ (* beta i) town))))
        ill (sample (binomial e (chance sigma)))
        recovered (sample (binomial i (chance gamma)))]
    {:s (- s exposed)
     :e (- (+ e exposed) ill)
     :i (- (+ i ill) recovered)
     :r (+ r recovered)
     :new ill}))

(defquery seir [cases]
  (let [rates {:beta (sample (gamma 6 10))
               :sigma (sample (gamma 5 20))
               :gamma (sample (gamma 4 20))}
        reported (sample (beta 5 5))
        end (reduce (fn [state n]
                      (let [state (day rates state)]
                        (observe (poisson (+ 0.1 (* reported (:new state)))) n)
                        state))
                    {:s 990 :e 5 :i 5 :r 0}
                    cases)]
    (predict :r0 (/ (:beta rates) (:gamma rates)))
    (predict :reported reported)
    (predict :susceptible (:s end))))

(def seir-value [cases])
