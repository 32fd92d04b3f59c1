;; A macro of the program that expands to sample.
(defmacro draw [x] `(sample (dirac ~x)))
(defmacro observe-all [d xs] `(doseq [x# ~xs] (observe ~d x#)))
(defquery q [] (observe-all (flip 0.5) [true false]) (+ (draw 1) (draw 2)))
(def state (first (doquery :importance q [])))
(:result state) ;; expect: 3
(format "%.6f" (:log-weight state)) ;; expect: "-1.386294"
