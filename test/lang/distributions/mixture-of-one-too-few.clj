;; As many weights as distributions.
(mixture [1 2] [(normal 0 1)]) ;; expect-error: R016
