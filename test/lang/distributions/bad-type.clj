;; A parameter of the wrong type.
(normal "a" 1) ;; expect-error: D002
