;; SPDX-License-Identifier: Apache-2.0
;; clojure.test: what assertions do, and running tests. The session keeps which tests there are, what is being tested, and
;; the counts (src/session/test_record.hpp); the front end has deftest, is, are and testing (src/front/testing.cpp).

(defn %exception-text [e]
  (if (instance? Throwable e)
    (str (%class-name (class e)) ": " (ex-message e)
         (if (ex-data e) (str " " (pr-str (ex-data e))) "")
         (%exception-place e))
    (pr-str e)))

(defn %report [kind file line message form actual]
  (do (%count-assertion kind)
      (println)
      (println (str (if (= kind :fail) "FAIL" "ERROR") " in (" (%current-test) ") (" file ":" line ")"))
      (if (empty? (%test-contexts)) nil (println (clojure.string/join " " (%test-contexts))))
      (if (nil? message) nil (println message))
      (println "expected:" (pr-str form))
      (println "  actual:" actual)))

(defn %check-value [thunk form message file line]
  (try
    (let [value (thunk)]
      (if value
        (%count-assertion :pass)
        (%report :fail file line message form (pr-str value)))
      value)
    (catch Throwable e
      (do (%report :error file line message form (%exception-text e))
          nil))))

(defn %check-call [thunk form message file line]
  (try
    (let [parts (thunk)
          args (rest parts)
          value (apply (first parts) args)]
      (if value
        (%count-assertion :pass)
        (%report :fail file line message form (pr-str (list 'not (cons (first form) args)))))
      value)
    (catch Throwable e
      (do (%report :error file line message form (%exception-text e))
          nil))))

(defn %check-thrown [thunk type pattern form message file line]
  (try
    (let [value (thunk)]
      (%report :fail file line message form (pr-str value))
      value)
    (catch Throwable e
      (cond
        (not (%exception-is? e type))
        (do (%report :error file line message form (%exception-text e)) nil)
        (if (nil? pattern) true (re-find pattern (str (ex-message e))))
        (do (%count-assertion :pass) e)
        :else
        (do (%report :fail file line message form (%exception-text e)) e)))))

(defn %testing [what thunk]
  (do (%test-context-push what)
      (try
        (thunk)
        (finally (%test-context-pop)))))

(defn compose-fixtures
  "The fixture that runs the second inside the first."
  [f g]
  (fn [test] (f (fn [] (g test)))))

(defn join-fixtures
  "One fixture of several, the first outermost."
  [fixtures]
  (reduce compose-fixtures (fn [test] (test)) fixtures))

(defn %run-one [test each]
  (do (%begin-test test)
      (try
        (each (fn [] ((%global-value test))))
        (catch Throwable e
          (%report :error (%test-file test) (%test-line test) "Uncaught exception, not in assertion."
                   nil (%exception-text e))))
      (%end-test)))

(defn %run-tests-of [ns]
  (let [tests (%tests-of ns)
        once (join-fixtures (%fixtures :once ns))
        each (join-fixtures (%fixtures :each ns))]
    (println)
    (println "Testing" (if (= ns "") (%main-namespace) ns))
    (once (fn [] (doseq [test tests] (%run-one test each))))
    nil))

(defn %summary []
  (let [counts (%test-counts)]
    (println)
    (println (str "Ran " (:test counts) " tests containing "
                  (+ (:pass counts) (:fail counts) (:error counts)) " assertions."))
    (println (str (:fail counts) " failures, " (:error counts) " errors."))
    (assoc counts :type :summary)))

(defn run-tests
  "Runs the tests of the program, or those of some namespaces, and prints what fails; gives the counts."
  [& namespaces]
  (do (%begin-tests)
      (if (empty? namespaces)
        (%run-tests-of "")
        (doseq [ns namespaces]
          (%run-tests-of (if (= (str ns) (%main-namespace)) "" (str ns)))))
      (%summary)))

(defn run-all-tests
  "Runs the tests of all files that are loaded."
  [& pattern]
  (do (%begin-tests)
      (doseq [ns (%test-namespaces)] (%run-tests-of ns))
      (%summary)))

(defn %run-test [test]
  (do (%begin-tests)
      (%run-one test (join-fixtures (%fixtures :each "")))
      (%summary)))

(defn successful?
  "True when a summary of run-tests has neither failures nor errors."
  [summary]
  (= 0 (+ (:fail summary) (:error summary))))
