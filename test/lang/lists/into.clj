;; into a list adds at the front.
;; Same in Clojure.
(into '() [1 2 3]) ;; expect: (3 2 1)
(into nil [1 2]) ;; expect: (2 1)
(conj nil 1) ;; expect: (1)
(reduce conj () [1 2 3]) ;; expect: (3 2 1)
