;; Splicing a body.
;; Same in Clojure.
(defmacro my-when [c & body] `(if ~c (do ~@body)))
(my-when true 1 2) ;; expect: 2
(my-when false 1) ;; expect: nil
(defmacro infix [[a op b]] `(~op ~a ~b))
(infix (1 + 2)) ;; expect: 3
