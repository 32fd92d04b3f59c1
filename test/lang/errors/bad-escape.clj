;; No such escape.
"a\qb" ;; expect-error: S004
