;; if-let, when-let, if-some, when-some.
(defquery q [] [(if-let [x (sample (dirac 1))] (inc x) :no) (when-let [x (sample (dirac nil))] x) (if-some [x (sample (dirac false))] :some :none) (when-some [x (sample (dirac 0))] x)])
(:result (first (doquery :importance q []))) ;; expect: [2 nil :some 0]
