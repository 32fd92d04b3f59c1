;; The innermost of two equal tags.
(defquery q [] (catch :t [(catch :t (throw :t 1)) 2]))
(:result (first (doquery :importance q []))) ;; expect: [1 2]
