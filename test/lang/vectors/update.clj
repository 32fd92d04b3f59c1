;; update and the nested forms.
;; Same in Clojure.
(update [1 2 3] 1 inc) ;; expect: [1 3 3]
(update [1 2] 0 + 10) ;; expect: [11 2]
(assoc-in [[1 2] [3 4]] [1 0] :x) ;; expect: [[1 2] [:x 4]]
(update-in [[1 2]] [0 1] * 10) ;; expect: [[1 20]]
(get-in [[1 2] [3 4]] [1 1]) ;; expect: 4
