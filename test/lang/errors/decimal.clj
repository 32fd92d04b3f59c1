;; There are no exact decimals.
(+ 1.5M 1) ;; expect-error: S005
