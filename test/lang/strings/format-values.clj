;; %s of values.
;; Same in Clojure.
(format "%s" [1 2]) ;; expect: "[1 2]"
(format "%s" nil) ;; expect: "null"
(format "%s" 1/2) ;; expect: "1/2"
(format "%s" 1.0) ;; expect: "1.0"
(format "%.1f%%" 12.34) ;; expect: "12.3%"
(format "%g" 1234567.0) ;; expect: "1.23457e+06"
(format "%g" 0.00001234) ;; expect: "1.23400e-05"
