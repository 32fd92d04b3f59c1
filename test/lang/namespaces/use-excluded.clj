;; What is excluded is not there.
;; expect-out: numbers are loaded
(use '[beside.shapes :exclude [twice]])
(shown 1) ;; expect: 1
(twice 1) ;; expect-error: F001
