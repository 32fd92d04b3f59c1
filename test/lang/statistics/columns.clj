;; Of rows: column by column.
(mean [[1 2] [3 4]]) ;; expect: [2 3]
(variance [[1 2] [3 4]]) ;; expect: [1.0 1.0]
