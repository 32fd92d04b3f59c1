;; x has mean 1 and variance 2/3, the evidence is the density of 3 under normal(0, sqrt 3).
(defquery q [] (let [x (sample (normal 0 1)) y (sample (normal x 1))] (observe (normal y 1) 3) x))
(def draws (take 2000 (doquery :anneal q [] :number-of-particles 2000)))
(def xs (map :result draws))
(def m (/ (reduce + xs) 2000))
(< (abs (- m 1)) 0.15) ;; expect: true
(< (abs (- (/ (reduce + (map (fn [x] (* (- x m) (- x m))) xs)) 2000) (/ 2 3))) 0.15) ;; expect: true
;; Equal weights, that are the evidence.
(count (distinct (map :log-weight draws))) ;; expect: 1
(< (abs (- (:log-weight (first draws)) (observe* (normal 0 (sqrt 3)) 3))) 0.2) ;; expect: true
