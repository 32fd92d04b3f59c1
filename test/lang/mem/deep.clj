;; A chain of memoised calls.
(defquery q [] (let [state (mem (fn state [t] (if (zero? t) 0 (+ (state (dec t)) (sample (dirac 1))))))] (state 2000)))
(:result (first (doquery :importance q []))) ;; expect: 2000
