;; identical? of constants that are shared.
;; Same in Clojure.
(identical? :a :a) ;; expect: true
(identical? nil nil) ;; expect: true
(let [v [1]] (identical? v v)) ;; expect: true
