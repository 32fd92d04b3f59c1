;; SPDX-License-Identifier: Apache-2.0
;; Linear regression: party identification (1 to 7) on ideology, race, age group, education, gender and income.
(defquery party [partyid7 real_ideo race_adj age_discrete educ1 gender income]
  (let [beta (vec (repeatedly 9 (fn [] (sample (flat)))))
        sigma (sample (half-flat))
        is (fn [value wanted] (if (= value wanted) 1 0))]
    (doseq [[party ideology race age education sex earnings]
            (map vector partyid7 real_ideo race_adj age_discrete educ1 gender income)]
      (let [row [1 ideology race (is age 2) (is age 3) (is age 4) education sex earnings]]
        (observe (normal (reduce + (map * beta row)) sigma) party)))
    (predict :beta beta)
    (predict :sigma sigma)))
