;; list* puts elements in front of a sequence.
;; Same in Clojure.
(list* 1 2 [3 4]) ;; expect: (1 2 3 4)
(list* [1]) ;; expect: (1)
(list* 1 nil) ;; expect: (1)
