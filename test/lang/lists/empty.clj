;; The empty list is not nil, but seq of it is.
;; Same in Clojure.
(empty? ()) ;; expect: true
(seq ()) ;; expect: nil
(= () nil) ;; expect: false
(first ()) ;; expect: nil
(rest ()) ;; expect: ()
(if () :yes :no) ;; expect: :yes
(count nil) ;; expect: 0
(empty? nil) ;; expect: true
