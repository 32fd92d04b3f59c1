;; An element twice.
#{1 1} ;; expect-error: S008
