;; Groups come back as a vector.
;; Same in Clojure.
(re-find #"(\w)(\d)" "xa1") ;; expect: ["a1" "a" "1"]
(re-matches #"(\d+)-(\d+)" "10-20") ;; expect: ["10-20" "10" "20"]
(re-matches #"\d+" "10a") ;; expect: nil
(re-seq #"(\w)=(\d)" "a=1 b=2") ;; expect: (["a=1" "a" "1"] ["b=2" "b" "2"])
(re-find #"z" "abc") ;; expect: nil
(re-find #"(?i)ABC" "xabc") ;; expect: "abc"
(re-find #"^a|b$" "cb") ;; expect: "b"
(re-seq #"a*?b" "aab") ;; expect: ("aab")
