;; Same in Clojure.
(ns walk-and-data
  (:require [clojure.walk :as w] [clojure.data :as data] [clojure.pprint :refer [print-table]] [clojure.string :as string]))

(w/stringify-keys {:a {:b 1} "c" :d}) ;; expect: {"a" {"b" 1}, "c" :d}
(w/prewalk-replace {:a :b, [1] :one} [:a [1] {:a 2}]) ;; expect: [:b :one {:b 2}]
(with-out-str (w/prewalk-demo [1 [2]])) ;; expect: "Walked: [1 [2]]\nWalked: 1\nWalked: [2]\nWalked: 2\n"
(with-out-str (w/postwalk-demo [1 [2]])) ;; expect: "Walked: 1\nWalked: 2\nWalked: [2]\nWalked: [1 [2]]\n"

(data/diff {:b {:c 2 :d 3}} {:b {:c 2 :d 4} :e 5}) ;; expect: ({:b {:d 3}} {:b {:d 4}, :e 5} {:b {:c 2}})
(data/diff [1 2 3] [1 5 3 4]) ;; expect: [[nil 2] [nil 5 nil 4] [1 nil 3]]
(data/diff #{1 2} #{2 3}) ;; expect: [#{1} #{3} #{2}]
(data/diff 1 2) ;; expect: [1 2 nil]
(data/diff [1] {:a 1}) ;; expect: [[1] {:a 1} nil]
(data/diff {:a nil} {}) ;; expect: ({:a nil} nil nil)
(data/diff {:a {:b [1 2 {:c 3}]}} {:a {:b [1 2 {:c 4}]}}) ;; expect: ({:a {:b [nil nil {:c 3}]}} {:a {:b [nil nil {:c 4}]}} {:a {:b [1 2]}})
(data/diff "a" "a") ;; expect: [nil nil "a"]

(with-out-str (print-table [{:a 1 :b "xx"} {:a 100}])) ;; expect: "\n|  :a | :b |\n|-----+----|\n|   1 | xx |\n| 100 |    |\n"
(with-out-str (print-table [:b] [{:a 1 :b "xx"}])) ;; expect: "\n| :b |\n|----|\n| xx |\n"
(string/escape "a<b>" {\< "&lt;", \> "&gt;"}) ;; expect: "a&lt;b&gt;"
(string/re-quote-replacement "a$1") ;; expect: "a\\$1"
