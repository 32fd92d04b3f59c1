;; What observe* of an observed distribution samples is part of the execution.
(defdist coin-of-two [p] (sample* [this] (sample* (flip p))) (observe* [this x] (observe* (flip (if (sample (flip p)) 0.75 0.25)) x)))
(defquery q [] (observe (coin-of-two 0.25) true) (observe (coin-of-two 0.5) true))
(def states (doquery :enumerate q []))
(count states) ;; expect: 4
(< (abs (- (reduce + (map (fn [s] (exp (:log-weight s))) states)) (* 0.375 0.5))) 1e-12) ;; expect: true
;; Without inference it is a function like any other.
(< (observe* (coin-of-two 0.5) true) 0) ;; expect: true
;; As the distribution of a draw it gives no score that could be compared.
(defquery kept [] (let [p (sample (uniform-continuous 0 1)) x (sample (coin-of-two p))] (observe (flip (if x 0.9 0.1)) true))) ;; expect-error: R014
(dorun (take 50 (doquery :lmh kept [])))
