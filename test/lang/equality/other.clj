;; Strings, characters, keywords, symbols.
;; Same in Clojure.
(= "a" "a") ;; expect: true
(= "a" \a) ;; expect: false
(= :a "a") ;; expect: false
(= 'a :a) ;; expect: false
(= nil nil) ;; expect: true
(= nil false) ;; expect: false
(= \a \a) ;; expect: true
