;; An inner catch of another tag is passed over.
(defquery q [] (catch :outer (+ 100 (catch :inner (throw :outer 1)))))
(:result (first (doquery :importance q []))) ;; expect: 1
(defquery r [] (catch :outer (+ 100 (catch :inner (throw :inner 1)))))
(:result (first (doquery :importance r []))) ;; expect: 101
