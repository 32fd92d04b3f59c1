;; Tagged distributions keep their meaning.
(get-tag (tag :a (normal 0 1))) ;; expect: :a
(sample* (tag :a (dirac 3))) ;; expect: 3
