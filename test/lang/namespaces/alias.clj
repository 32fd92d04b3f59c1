;; alias and refer
;; Same in Clojure.
(require 'clojure.string 'clojure.set)
(alias 'txt 'clojure.string)
(txt/upper-case "a") ;; expect: "A"
(refer 'clojure.set :only '[union])
(union #{1} #{1}) ;; expect: #{1}
(require '[clojure.string :refer [lower-case] :rename {lower-case small}])
(small "A") ;; expect: "a"
