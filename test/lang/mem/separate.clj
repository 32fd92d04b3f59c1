;; Each mem has its own table.
(defquery q [] (let [f (mem (fn [x] (sample (normal 0 1)))) g (mem (fn [x] (sample (normal 0 1))))] (= (f 1) (g 1))))
(:result (first (doquery :importance q []))) ;; expect: false
