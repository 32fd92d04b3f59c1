;; Maps taken apart.
;; Same in Clojure.
(let [{a :a} {:a 1}] a) ;; expect: 1
(let [{:keys [a b]} {:a 1 :b 2}] [a b]) ;; expect: [1 2]
(let [{:keys [a c]} {:a 1}] [a c]) ;; expect: [1 nil]
(let [{:keys [a c] :or {c 9}} {:a 1}] [a c]) ;; expect: [1 9]
(let [{:keys [a] :as m} {:a 1 :b 2}] [a (:b m)]) ;; expect: [1 2]
(let [{:strs [x]} {"x" 1}] x) ;; expect: 1
(let [{:syms [x]} {'x 1}] x) ;; expect: 1
(let [{[a b] :v} {:v [1 2]}] [a b]) ;; expect: [1 2]
(let [{{c :c} :b} {:b {:c 3}}] c) ;; expect: 3
(let [{x 0 y 1} [:a :b]] [x y]) ;; expect: [:a :b]
(let [{a "k"} {"k" 5}] a) ;; expect: 5
(let [{:keys [:a]} {:a 1}] a) ;; expect: 1
