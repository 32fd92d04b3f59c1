;; Rest parameters.
;; Same in Clojure.
(defn f [a & more] [a (count more)])
(f 1) ;; expect: [1 0]
(f 1 2 3) ;; expect: [1 2]
(apply f 1 2 [3 4]) ;; expect: [1 3]
(defn opts [x & {:keys [scale] :or {scale 1}}] (* x scale))
(opts 2) ;; expect: 2
(opts 2 :scale 10) ;; expect: 20
