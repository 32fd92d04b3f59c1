;; Lines of text, readers that are closed.
;; Same in Clojure.
(def text "a,b\n1,\"x y\"\n\n2,z")
(line-seq (java.io.BufferedReader. (java.io.StringReader. text))) ;; expect: ("a,b" "1,\"x y\"" "" "2,z")
(line-seq (java.io.BufferedReader. (java.io.StringReader. ""))) ;; expect: nil
(line-seq (java.io.BufferedReader. (java.io.StringReader. "one\r\ntwo\n"))) ;; expect: ("one" "two")
(with-open [r (java.io.BufferedReader. (java.io.StringReader. text))]
  (count (line-seq r))) ;; expect: 4
(with-open [a (java.io.StringReader. "x") b (java.io.StringReader. "yy")]
  (map count [(slurp a) (slurp b)])) ;; expect: (1 2)
(try (with-open [r (java.io.StringReader. "x")] (/ 1 0)) (catch ArithmeticException e :closed)) ;; expect: :closed
