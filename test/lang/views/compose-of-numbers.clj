;; Only plots can be composed.
(compose [1 2]) ;; expect-error: R001
