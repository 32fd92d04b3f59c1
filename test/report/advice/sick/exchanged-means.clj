; The components of a mixture have no order.
; run: -a nuts -n 300 --chains 4 --seed 2
; expect: have :means in different orders
; expect: (sample (ordered
; expect: more warm-up does not help
; never: give more warm-up
; never: regression
; never: non-centred
(def points [-5.1 -4.8 -5.3 -4.9 -5.0 -5.2 5.2 4.9 5.0 5.1 4.8])
(defquery exchanged-means
  (let [means (vec (repeatedly 2 (fn [] (sample (normal 0 10)))))]
    (doseq [y points]
      (observe (mixture [0.5 0.5] (mapv (fn [m] (normal m 0.5)) means)) y))
    (predict :means means)))
