;; Ratio literals are reduced.
;; Same in Clojure.
1/3 ;; expect: 1/3
2/4 ;; expect: 1/2
-6/4 ;; expect: -3/2
4/2 ;; expect: 2
