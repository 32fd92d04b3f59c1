;; case without a default.
(case 5 1 :one) ;; expect-error: R007
