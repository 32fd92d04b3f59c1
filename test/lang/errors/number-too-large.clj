;; Does not fit into 64 bits.
92233720368547758080 ;; expect-error: S005
