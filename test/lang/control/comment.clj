;; comment gives nil.
;; Same in Clojure.
[1 (comment 2) 3] ;; expect: [1 nil 3]
(do (comment (undefined stuff)) 4) ;; expect: 4
