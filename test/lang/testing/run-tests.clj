;; run-tests counts, and prints what fails with its place.
(ns sums (:require [clojure.test :as t]))
(t/deftest right (t/is (= 2 (+ 1 1))))
(t/deftest wrong
  (t/testing "addition"
    (t/is (= 5 (+ 2 2)) "four")
    (t/is (thrown? ArithmeticException (+ 1 1)))))
(t/deftest broken (t/is (first 5)))
(def trail (atom []))
(t/use-fixtures :each (fn [f] (swap! trail conj :in) (f) (swap! trail conj :out)))
(def summary (atom nil))
(def printed (with-out-str (reset! summary (t/run-tests))))
(print (clojure.string/replace printed #"\([^ (]*run-tests" "(run-tests"))
;; expect-out:
;; expect-out: Testing sums
;; expect-out:
;; expect-out: FAIL in (wrong) (run-tests.clj:6)
;; expect-out: addition
;; expect-out: four
;; expect-out: expected: (= 5 (+ 2 2))
;; expect-out: actual: (not (= 5 4))
;; expect-out:
;; expect-out: FAIL in (wrong) (run-tests.clj:7)
;; expect-out: addition
;; expect-out: expected: (thrown? ArithmeticException (+ 1 1))
;; expect-out: actual: 2
;; expect-out:
;; expect-out: ERROR in (broken) (run-tests.clj:8)
;; expect-out: expected: (first 5)
;; expect-out: actual: java.lang.IllegalArgumentException: first: expected a sequence, got the integer 5 (run-tests.clj:8:19)
;; expect-out:
;; expect-out: Ran 3 tests containing 4 assertions.
;; expect-out: 2 failures, 1 errors.
(select-keys @summary [:test :pass :fail :error]) ;; expect: {:test 3, :pass 1, :fail 2, :error 1}
(t/successful? @summary) ;; expect: false
@trail ;; expect: [:in :out :in :out :in :out]
