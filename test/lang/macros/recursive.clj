;; A macro that uses itself.
;; Same in Clojure.
(defmacro my-or ([] nil) ([a] a) ([a & more] `(let [v# ~a] (if v# v# (my-or ~@more)))))
(my-or nil false 3) ;; expect: 3
(my-or) ;; expect: nil
