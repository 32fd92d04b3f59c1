;; SPDX-License-Identifier: Apache-2.0
;; The Marsaglia program of the paper, in its new syntax, as printed. gaussian-marsaglia-value holds the numbers that
;; the original program spells out.
(defm marsaglia-normal [mu std]
  (let [u (uniform-continuous -1.0 1.0)]
    (loop [x (sample u)
           y (sample u)]
      (let [s (+ (* x x) (* y y))]
        (if (< s 1.0)
          (+ mu (* std (* x (sqrt (* -2.0 (/ (log s) s))))))
          (recur (sample u) (sample u)))))))

(defquery gaussian-marsaglia
    [observations sigma mu0 sigma0]
    (let [mu (marsaglia-normal mu0 sigma0)
          likelihood (normal mu sigma)]
      (reduce (fn [_ obs]
                (observe likelihood obs))
              nil
              observations)
      (predict :mu mu)))

(def gaussian-marsaglia-value [[9 8] (sqrt 2) 1 (sqrt 5)])
