;; comp, partial, juxt, complement, constantly with functions that sample.
(defquery q [] (let [draw (fn [x] (sample (dirac x)))] [((comp inc draw) 1) ((comp) 3) ((partial + 10) 1) ((partial draw) 2) ((juxt draw inc) 5) ((complement draw) false) ((constantly 4) 1)]))
(:result (first (doquery :importance q []))) ;; expect: [2 3 11 2 [5 6] true 4]
