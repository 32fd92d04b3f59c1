;; The posterior of a component's mean with the assignments summed out.
(defquery q [ys]
  (let [m (sample (normal 0 3))]
    (doseq [y ys] (observe (mixture [1 1] [(normal m 1) (normal 10 1)]) y))
    m))
(def draws (take 4000 (drop 500 (doquery :rmh q [[-2.1 -1.9 9.5 10.4 -2.0]]))))
(< -2.2 (/ (reduce + (map :result draws)) 4000) -1.7) ;; expect: true
