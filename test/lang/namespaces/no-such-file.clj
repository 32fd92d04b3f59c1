;; A file that is not there.
(load-file "nowhere.clj") ;; expect-error: F014
