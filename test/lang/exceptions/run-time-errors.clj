;; Errors of the library can be caught too.
;; Same in Clojure.
(try (/ 1 0) (catch ArithmeticException e :div)) ;; expect: :div
(try (nth [1] 5) (catch IndexOutOfBoundsException e :index)) ;; expect: :index
(try (/ 1 0) (catch Exception e :any)) ;; expect: :any
(try (first 5) (catch Exception e :type)) ;; expect: :type
