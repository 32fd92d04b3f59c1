;; Nothing outside the folder of the program can be loaded.
(load-file "../numbers/limits.clj") ;; expect-error: F014
