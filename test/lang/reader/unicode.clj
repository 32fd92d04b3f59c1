;; Text outside ASCII.
;; Same in Clojure.
"naïve λ" ;; expect: "naïve λ"
(count "λμ") ;; expect: 2
(str "a" "é") ;; expect: "aé"
:größe ;; expect: :größe
(let [π 3] π) ;; expect: 3
