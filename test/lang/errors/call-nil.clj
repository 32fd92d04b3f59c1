;; nil is not a function.
((get {:a 1} :b) 1) ;; expect-error: R003
