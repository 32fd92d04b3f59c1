;; Numbers from text.
;; Same in Clojure.
(Integer/parseInt "42") ;; expect: 42
(Double/parseDouble "2.5") ;; expect: 2.5
(Long/parseLong "-7") ;; expect: -7
(read-string "3/4") ;; expect: 3/4
(parse-long "12") ;; expect: 12
(parse-long "x") ;; expect: nil
(parse-double "1.5") ;; expect: 1.5
