;; A name of a namespace that is not there is not another one with the same last part.
(no.such.ns/inc 1) ;; expect-error: F001
