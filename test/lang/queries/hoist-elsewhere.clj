;; Engines that do not weigh at observes have no such option.
(defquery q [] 1)
(first (doquery :lmh q [] :hoist true)) ;; expect-error: I002
