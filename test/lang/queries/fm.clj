;; fm makes a function; its name works.
(def f (fm [x] (sample (dirac x))))
(def g (fm down [n] (if (zero? n) :done (down (dec n)))))
(defquery q [] [(f 3) (g 5)])
(:result (first (doquery :importance q []))) ;; expect: [3 :done]
