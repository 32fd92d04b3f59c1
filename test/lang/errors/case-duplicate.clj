;; The same constant twice.
(case 1 1 :a 1 :b) ;; expect-error: F002
