;; A key twice.
{:a 1 :a 2} ;; expect-error: S008
