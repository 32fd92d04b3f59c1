;; & without a name.
(fn [x &] x) ;; expect-error: F003
