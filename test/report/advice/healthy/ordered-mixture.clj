; run: -a nuts -n 500 --chains 4 --seed 1
(def points [-5.1 -4.8 -5.3 -4.9 -5.0 -5.2 5.2 4.9 5.0 5.1 4.8])
(defquery ordered-mixture
  (let [means (sample (ordered (normal 0 10) 2))]
    (doseq [y points]
      (observe (mixture [0.5 0.5] (mapv (fn [m] (normal m 0.5)) means)) y))
    (predict :means means)))
