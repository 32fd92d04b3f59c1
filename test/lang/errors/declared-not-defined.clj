;; A declared name without a definition.
(declare later)
(later 1) ;; expect-error: R015
