;; Functions that sample.
(defm coin [] (sample (flip 1)))
(defm pick [xs] (nth xs (sample (dirac 1))))
(defquery q [] [(coin) (pick [:a :b :c])])
(:result (first (doquery :importance q []))) ;; expect: [true :b]
