;; SPDX-License-Identifier: Apache-2.0
;; A chain binomial epidemic: susceptible, infected, removed. A share of each day's new cases is reported. How long an infection
;; lasts is known from elsewhere, to about a tenth.
;; chancel infer models/state-space/sir.clj --data models/state-space/data/sir.json -a pmmh
(defquery sir [cases people]
  (let [spread (sample :spread (gamma 4 10))
        recovery (sample :recovery (gamma 100 667))
        reported (sample :reported (beta 4 6))
        infection-chance (fn [infected] (- 1 (exp (/ (* -1 spread infected) people))))
        recovery-chance (- 1 (exp (- recovery)))]
    (reduce (fn [[susceptible infected] y]
              (let [new (sample (binomial susceptible (infection-chance infected)))
                    gone (sample (binomial infected recovery-chance))]
                (observe (binomial new reported) y)
                [(- susceptible new) (- (+ infected new) gone)]))
            [(- people 5) 5]
            cases)
    (predict :spread spread)
    (predict :recovery recovery)
    (predict :reported reported)))
