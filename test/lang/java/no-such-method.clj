;; A method that nobody has.
(.frobnicate "a") ;; expect-error: F007
