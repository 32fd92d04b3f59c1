;; Found when the function is compiled, before it is called.
(defn f [x]
  (+ x misspelt)) ;; expect-error: F001
