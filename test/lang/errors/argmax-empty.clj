(argmax [1 3 2]) ;; expect: 1
(argmax []) ;; expect-error: R016
