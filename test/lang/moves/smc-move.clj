;; A parameter before a series: without moves only its first draws are left. Its posterior has mean 40/21 and
;; standard deviation sqrt(1/21).
(defquery q []
  (let [m (sample (normal 0 1))]
    (loop [i 0] (when (< i 20) (observe (normal m 1) 2) (recur (inc i))))
    m))
(defn values [move] (map :result (take 500 (doquery :smc q [] :number-of-particles 500 :move move))))
(< (count (distinct (values 0))) 80) ;; expect: true
(> (count (distinct (values 2))) 200) ;; expect: true
(def xs (values 2))
(def m (/ (reduce + xs) 500))
(< (abs (- m (/ 40 21))) 0.05) ;; expect: true
(def s (sqrt (/ (reduce + (map (fn [x] (* (- x m) (- x m))) xs)) 500)))
(< (abs (- s (sqrt (/ 1 21)))) 0.05) ;; expect: true
