;; Keywords, plain and with a namespace.
;; Same in Clojure.
:a ;; expect: :a
:with-dash ;; expect: :with-dash
:ns/name ;; expect: :ns/name
:a.b/c ;; expect: :a.b/c
(name :ns/name) ;; expect: "name"
(namespace :ns/name) ;; expect: "ns"
(namespace :plain) ;; expect: nil
