;; Everything after a semicolon is skipped, and so is a discarded form.
;; Same in Clojure.
(+ 1 ; one
   2) ; two  ;; expect: 3
[1 #_2 3] ;; expect: [1 3]
[#_#_1 2 3] ;; expect: [3]
[(comment this (is not) read :as "code")] ;; expect: [nil]
[1 2 #_(3 4)] ;; expect: [1 2]
