;; Two functions over one atom.
;; Same in Clojure.
(defn counter [] (let [n (atom 0)] {:up #(swap! n inc) :get #(deref n)}))
(def c (counter))
((:up c)) ;; expect: 1
((:up c)) ;; expect: 2
((:get c)) ;; expect: 2
