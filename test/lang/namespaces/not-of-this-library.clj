;; A known library has the names that it has, not all names there are.
(require '[clojure.string :as s])
(s/join "-" [1 2]) ;; expect: "1-2"
(s/map inc [1]) ;; expect-error: F001
