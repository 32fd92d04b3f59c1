;; subvec outside the vector.
(subvec [1 2] 1 5) ;; expect-error: R004
