;; Assertions give the values of their tests, and print nothing when they hold.
;; Same in Clojure.
(require '[clojure.test :refer [deftest is are testing]])
(is (= 1 1)) ;; expect: true
(is (vector? [1]) "a message") ;; expect: true
(is (some #{2} [1 2 3])) ;; expect: 2
(testing "sums" (is (= 4 (+ 2 2)))) ;; expect: true
(class (is (thrown? ArithmeticException (/ 1 0)))) ;; expect: java.lang.ArithmeticException
(class (is (thrown-with-msg? RuntimeException #"boom" (throw (ex-info "boom!" {}))))) ;; expect: clojure.lang.ExceptionInfo
(are [x y] (= x y) 2 (+ 1 1) 4 (* 2 2)) ;; expect: true
(deftest adds (is (= 2 (+ 1 1))))
(adds) ;; expect: nil
