;; Nothing closes the string.
"abc ;; expect-error: S003
