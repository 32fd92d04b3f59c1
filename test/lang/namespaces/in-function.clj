;; Qualified names in functions.
;; Same in Clojure.
(require '[clojure.string :as s])
(defn shout [x] (s/upper-case (str x "!")))
(shout "hey") ;; expect: "HEY!"
(map s/capitalize ["a" "b"]) ;; expect: ("A" "B")
