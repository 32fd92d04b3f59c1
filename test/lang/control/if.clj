;; Only nil and false are false.
;; Same in Clojure.
(if true 1 2) ;; expect: 1
(if false 1 2) ;; expect: 2
(if nil 1 2) ;; expect: 2
(if 0 1 2) ;; expect: 1
(if "" 1 2) ;; expect: 1
(if [] 1 2) ;; expect: 1
(if false 1) ;; expect: nil
(if-not true 1 2) ;; expect: 2
(if (not nil) :a :b) ;; expect: :a
