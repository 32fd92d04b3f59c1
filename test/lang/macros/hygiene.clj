;; Names ending in # are fresh.
;; Same in Clojure.
(defmacro add-to [x e] `(let [tmp# ~e] (+ ~x tmp#)))
(let [tmp 1] (add-to tmp 2)) ;; expect: 3
