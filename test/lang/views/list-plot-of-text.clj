;; Points are numbers or pairs of numbers.
(list-plot ["a"]) ;; expect-error: R001
