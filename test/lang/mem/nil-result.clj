;; nil results are remembered, too.
(defquery q [] (let [n (atom 0) f (mem (fn [x] (swap! n inc) nil))] [(f 1) (f 1) @n]))
(:result (first (doquery :importance q []))) ;; expect: [nil nil 1]
