;; if without anything.
(if) ;; expect-error: F002
