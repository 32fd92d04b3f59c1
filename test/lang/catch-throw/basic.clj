;; throw leaves the nearest catch with the same tag.
(defquery q [] (catch :t (+ 1 (throw :t 5))))
(:result (first (doquery :importance q []))) ;; expect: 5
(defquery r [] (catch :t 1 2))
(:result (first (doquery :importance r []))) ;; expect: 2
