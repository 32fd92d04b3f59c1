;; A named function that calls itself.
(defquery q [] ((fn down [n] (if (pos? n) (cons (sample (dirac n)) (down (dec n))) [])) 3))
(:result (first (doquery :importance q []))) ;; expect: (3 2 1)
