;; A number cannot be taken apart.
(let [[a b] 5] a) ;; expect-error: R001
