;; The message is at the call that failed, not at the call of the function.
(defn g [x]
  (inc x)) ;; expect-error: R001
(g "a")
