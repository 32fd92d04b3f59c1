;; Remembered values survive resampling.
(defquery q [] (let [f (mem (fn [i] (sample (flip 0.5))))] (observe (flip (if (f 0) 0.9 0.1)) true) (observe (flip (if (f 1) 0.9 0.1)) true) (= [(f 0) (f 1)] [(f 0) (f 1)])))
(every? :result (take 20 (doquery :smc q [] :number-of-particles 10))) ;; expect: true
