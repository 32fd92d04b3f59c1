;; Also through a function of the program.
(defn now [] (time)) ;; expect-error: F010
(defquery q (predict :t (now)))
(first (doquery :importance q nil))
