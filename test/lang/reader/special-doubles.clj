;; Infinities and NaN.
;; Same in Clojure.
##Inf ;; expect: ##Inf
##-Inf ;; expect: ##-Inf
(Double/isNaN ##NaN) ;; expect: true
(= ##Inf (/ 1.0 0)) ;; expect: true
(- ##Inf) ;; expect: ##-Inf
