;; Recursion and mutual recursion between functions that sample.
(declare pong)
(defm ping [n] (if (zero? n) 0 (+ (sample (dirac 1)) (pong (dec n)))))
(defm pong [n] (if (zero? n) 0 (+ (sample (dirac 10)) (ping (dec n)))))
(defquery q [] (ping 4))
(:result (first (doquery :importance q []))) ;; expect: 22
