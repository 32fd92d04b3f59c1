;; What came before the error has been evaluated.
(def x 1)
(println "before")
;; expect-out: before
(nth [1] x) ;; expect-error: R004
