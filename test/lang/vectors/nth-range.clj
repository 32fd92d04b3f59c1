;; nth outside the vector fails; get does not.
(get [1] 5) ;; expect: nil
(nth [1] 5) ;; expect-error: R004
