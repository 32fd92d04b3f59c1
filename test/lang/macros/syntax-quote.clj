;; Templates.
;; Same in Clojure.
(defmacro twice [e] `(do ~e ~e))
(def n (atom 0))
(twice (swap! n inc)) ;; expect: 2
@n ;; expect: 2
(defmacro my-and [a b] `(let [x# ~a] (if x# ~b x#)))
(my-and 1 2) ;; expect: 2
(my-and nil 2) ;; expect: nil
