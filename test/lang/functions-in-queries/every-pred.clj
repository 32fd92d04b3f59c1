;; every-pred and some-fn with functions that sample.
(defquery q [] [((every-pred (fn [x] (sample (dirac (odd? x)))) pos?) 3) ((some-fn (fn [x] (sample (dirac nil))) inc) 3)])
(:result (first (doquery :importance q []))) ;; expect: [true 4]
