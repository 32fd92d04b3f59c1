;; A method that no class has.
(.frobnicate "a") ;; expect-error: F007
