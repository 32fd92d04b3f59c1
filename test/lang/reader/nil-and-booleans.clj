;; The three constants.
;; Same in Clojure.
nil ;; expect: nil
true ;; expect: true
false ;; expect: false
