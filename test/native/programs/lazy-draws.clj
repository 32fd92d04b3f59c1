;; SPDX-License-Identifier: Apache-2.0
;; A sequence that all executions have in common draws when it is asked for: what has been worked out of it is each
;; one's own. Branches differ, so that executions with one resume point have come there on different ways.
(defquery lazy-draws [observations]
  (let [xs (lazy-seq (list (sample (normal 0 1)) (sample (uniform-continuous 0 1))))
        doubled (map (fn [y] (* 2 y)) observations)
        ws (repeatedly 3 (fn [] (sample (uniform-continuous 0.1 1))))
        b (sample (flip 0.5))]
    (first xs)
    (doall ws)
    (if b
      (do
        (observe (normal 0 1) 0.5)
        (observe (normal (first doubled) 1) 0.7))
      (do
        (observe (normal 0 2) 0.5)
        (observe (normal (+ 1 (first xs)) 2) 0.7)))
    (let [k (if b (sample (discrete ws)) (count (retrieve :a)))]
      (observe (normal k 1) (second doubled))
      (predict :k k)
      (predict :x (vec xs)))))

(def lazy-draws-value [[0.5 1.5]])
