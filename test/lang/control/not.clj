;; Truth values.
;; Same in Clojure.
(not nil) ;; expect: true
(not 0) ;; expect: false
(true? true) ;; expect: true
(true? 1) ;; expect: false
(false? false) ;; expect: true
(boolean nil) ;; expect: false
(boolean 5) ;; expect: true
(nil? nil) ;; expect: true
(some? nil) ;; expect: false
(boolean? false) ;; expect: true
(not= 1 1) ;; expect: false
