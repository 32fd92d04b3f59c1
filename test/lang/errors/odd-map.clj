;; A key without a value.
{:a 1 :b} ;; expect-error: S008
