;; :refer brings single names.
;; Same in Clojure.
(require '[clojure.string :refer [upper-case]])
(upper-case "a") ;; expect: "A"
