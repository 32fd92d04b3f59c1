;; A key may be a sequence that is still lazy.
(get {'(2 3) :x} (map inc [1 2])) ;; expect: :x
(contains? #{[2 3]} (map inc [1 2])) ;; expect: true
