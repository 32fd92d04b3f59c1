;; A lazy sequence that was made earlier keeps the old function; later calls see the new one.
(def f inc)
(def xs (map f [1 2 3]))
(def f dec)
xs ;; expect: (2 3 4)
(map f [1 2 3]) ;; expect: (0 1 2)
