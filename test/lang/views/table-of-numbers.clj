;; A table has rows.
(table-view [1 2]) ;; expect-error: R001
