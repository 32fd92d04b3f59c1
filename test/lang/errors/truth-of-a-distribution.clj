;; A distribution is neither true nor false: a draw from it is.
(println (count (filter true? (repeatedly 3 #(flip 0.5))))) ;; expect-error: R001
