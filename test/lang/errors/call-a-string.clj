;; Nor is a string.
("f" 1) ;; expect-error: F012
