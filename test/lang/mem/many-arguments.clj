;; Any number of arguments.
(def f (mem (fn [& xs] (apply + xs))))
(apply f (range 100)) ;; expect: 4950
(apply f (range 100)) ;; expect: 4950
(apply f (concat (range 99) [0])) ;; expect: 4851
(apply f (range 64)) ;; expect: 2016
(apply f (range 63)) ;; expect: 1953
