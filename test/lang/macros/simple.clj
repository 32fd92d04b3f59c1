;; A macro rewrites its form.
;; Same in Clojure.
(defmacro unless [c then else] (list 'if c else then))
(unless false 1 2) ;; expect: 1
(unless true 1 2) ;; expect: 2
