;; The whole list of arguments is the key, by value.
(defquery q [] (let [f (mem (fn [& xs] (sample (normal 0 1))))] [(= (f 1 2) (f 1 2)) (= (f 1 2) (f 2 1)) (= (f [1]) (f (list 1))) (= (f 1) (f 1.0)) (= (f) (f))]))
(:result (first (doquery :importance q []))) ;; expect: [true false true false true]
