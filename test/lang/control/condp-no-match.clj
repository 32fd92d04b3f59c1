;; condp without a default.
(condp = 9 1 :one 2 :two) ;; expect-error: R007
