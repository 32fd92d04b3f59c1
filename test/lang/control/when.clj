;; when and when-not.
;; Same in Clojure.
(when true 1 2) ;; expect: 2
(when false 1) ;; expect: nil
(when-not false 1) ;; expect: 1
(when-not true 1) ;; expect: nil
(when true) ;; expect: nil
