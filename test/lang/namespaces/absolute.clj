;; Nor by an absolute path.
(load-file "/etc/hostname") ;; expect-error: F014
