; The same, with a name for each component.
; run: -a nuts -n 300 --chains 4 --seed 2
; expect: have :low and :high in different orders
; expect: (sample (ordered
; never: regression
(def points [-5.1 -4.8 -5.3 -4.9 -5.0 -5.2 5.2 4.9 5.0 5.1 4.8])
(defquery exchanged-scalars
  (let [low (sample (normal 0 10))
        high (sample (normal 0 10))]
    (doseq [y points]
      (observe (mixture [0.5 0.5] [(normal low 0.5) (normal high 0.5)]) y))
    (predict :low low)
    (predict :high high)))
