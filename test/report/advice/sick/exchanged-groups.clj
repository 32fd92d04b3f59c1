; Assignments are drawn: all groups can be renumbered.
; run: -a nuts -n 300 --chains 4 --seed 2
; expect: number :groups differently
; expect: which items are equal
; never: regression
; never: --warmup
(def points [-5.1 -4.8 -5.3 -4.9 -5.2 5.2 4.9 5.0 5.1])
(defquery exchanged-groups
  (let [means (vec (repeatedly 2 (fn [] (sample (normal 0 10)))))
        groups (mapv (fn [y]
                       (let [z (sample (uniform-discrete 0 2))]
                         (observe (normal (nth means z) 0.5) y)
                         z))
                     points)]
    (predict :groups groups)))
