;; A distribution in place of a draw.
(defn f [] (if (flip 0.5) 1 0)) ;; expect-error: F015
