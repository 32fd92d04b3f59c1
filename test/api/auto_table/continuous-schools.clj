;; SPDX-License-Identifier: Apache-2.0
;; Eight schools, their effects remembered by school.
(defquery schools
  (let [mean (sample (normal 0 5))
        spread (sample (half-cauchy 5))
        effect (mem (fn [school] (sample (normal 0 1))))]
    (doseq [[school y sd] (map vector (range 8) [28 8 -3 7 -1 1 18 12] [15 10 16 11 9 11 10 18])]
      (observe (normal (+ mean (* spread (effect school))) sd) y))
    (predict :mean mean)
    (predict :first (+ mean (* spread (effect 0))))))
