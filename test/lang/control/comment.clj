;; comment gives nil.
;; Same in Clojure.
(comment (undefined stuff)) ;; expect: nil
[1 (comment 2) 3] ;; expect: [1 nil 3]
