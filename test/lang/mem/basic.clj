;; mem draws once for each argument list.
(defquery q [] (let [f (mem (fn [x] (sample (normal 0 1))))] [(= (f 1) (f 1)) (= (f 1) (f 2))]))
(:result (first (doquery :importance q []))) ;; expect: [true false]
