;; Exact where the posterior is normal: x has mean 1 and variance 2/3, the evidence is in every weight the same.
(defquery q [] (let [x (sample (normal 0 1)) y (sample (normal x 1))] (observe (normal y 1) 3) x))
(def xs (map :result (take 2000 (doquery :laplace q []))))
(def m (/ (reduce + xs) 2000))
(< (abs (- m 1)) 0.1) ;; expect: true
(< (abs (- (/ (reduce + (map (fn [x] (* (- x m) (- x m))) xs)) 2000) (/ 2 3))) 0.1) ;; expect: true
