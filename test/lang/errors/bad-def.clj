;; def of something other than a name.
(def 5 1) ;; expect-error: F008
