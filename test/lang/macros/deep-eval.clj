;; So is a form that eval is given.
(defn deep [n] (reduce (fn [inner _] [inner]) [] (range n)))
(count (eval (deep 1000))) ;; expect: 1
(eval (deep 300000)) ;; expect-error: F002
