;; Functions of the library that are written in the language say what they take, too.
(zipmap [1]) ;; expect-error: F005
