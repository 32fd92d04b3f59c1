; Two draws that only move together.
; run: -a lmh -n 500 --chains 2 --seed 1
; expect: never changed in
; expect: discrete draws move one at a time
; expect: -a enumerate
; never: nuts
; never: regression
; never: non-centred
(defquery tied-draws
  (let [a (sample (flip 0.5))
        b (sample (flip 0.5))]
    (observe (flip (if (= a b) 1.0 0.0)) true)
    (predict :a a)
    (predict :b b)))
