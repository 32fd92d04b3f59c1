;; SPDX-License-Identifier: Apache-2.0
;; A series that switches between two means; its parameters come first.
(defquery regimes
  (let [stay (sample (beta 9 1))
        gap (sample (gamma 4 2))]
    (reduce (fn [s y]
              (let [s (if (sample (flip stay)) s (- 1 s))]
                (observe (normal (* s gap) 0.5) y)
                s))
            0
            (map (fn [t] (if (< (mod t 20) 10) 0.1 1.9)) (range 40)))
    (predict :stay stay)
    (predict :gap gap)))
