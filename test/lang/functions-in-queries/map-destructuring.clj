;; Map destructuring in let and fn.
(defquery q [] (let [{:keys [a b] :or {b 5}} {:a (sample (dirac 1))} f (fn [{x :x}] (* 2 x))] [a b (f {:x 4})]))
(:result (first (doquery :importance q []))) ;; expect: [1 5 8]
