;; if takes two or three parts.
(if true 1 2 3) ;; expect-error: F002
