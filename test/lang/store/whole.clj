;; Without keys: the whole store.
(defquery q [] (store {:x 1}) [(retrieve) (retrieve :x)])
(:result (first (doquery :importance q []))) ;; expect: [{:x 1} 1]
