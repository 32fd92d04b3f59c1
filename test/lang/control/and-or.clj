;; Short circuits give the deciding value.
;; Same in Clojure.
(and) ;; expect: true
(or) ;; expect: nil
(and 1 2) ;; expect: 2
(and 1 nil 2) ;; expect: nil
(and false (throw (ex-info "no" {}))) ;; expect: false
(or nil 2) ;; expect: 2
(or nil false) ;; expect: false
(or 1 (throw (ex-info "no" {}))) ;; expect: 1
(and nil false) ;; expect: nil
(or false nil) ;; expect: nil
