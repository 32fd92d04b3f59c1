;; Inside a function given to map.
(doall (map (fn [x]
              (/ 1 x)) ;; expect-error: R006
            [1 0]))
