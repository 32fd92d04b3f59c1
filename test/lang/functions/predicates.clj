;; What can be called.
;; Same in Clojure.
(fn? inc) ;; expect: true
(fn? :a) ;; expect: false
(ifn? :a) ;; expect: true
(ifn? {}) ;; expect: true
(fn? (fn [] 1)) ;; expect: true
