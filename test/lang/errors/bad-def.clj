;; def of something that is no name.
(def 5 1) ;; expect-error: F008
