;; What produce and absorb of a process sample is part of the execution: enumerate goes through it, lmh changes it.
(defproc noisy [p] (produce [this] (flip (if (sample (flip p)) 0.75 0.25))) (absorb [this x] (noisy (if (sample (flip 0.5)) p 0.5))))
(defquery q [] (let [a (noisy 0.25)] (observe (produce a) true) (let [b (absorb a true)] (predict :p (:p b)) (observe (produce b) true))))
(def states (doquery :enumerate q []))
(count states) ;; expect: 8
;; 0.375 * (0.375 / 2 + 0.5 / 2), and the share of the first.
(defn total [xs] (reduce + (map (fn [s] (exp (:log-weight s))) xs)))
(< (abs (- (total states) 0.1640625)) 1e-12) ;; expect: true
(def share (/ 0.375 0.875))
(defn mean [engine n] (let [xs (take n (doquery engine q []))] (/ (count (filter (fn [s] (= 0.25 (:p (get-predicts s)))) xs)) n)))
(< (abs (- (mean :lmh 20000) share)) 0.03) ;; expect: true
