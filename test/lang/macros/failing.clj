;; An error while a macro expands.
(defmacro broken [x] (/ 1 0))
(broken 1) ;; expect-error: F009
