;; clojure.data.csv reads rows of strings, from a reader or a text.
(require '[clojure.data.csv :as csv] '[clojure.java.io :as io])
(csv/read-csv "a,b\n1,\"x, y\"\n") ;; expect: (["a" "b"] ["1" "x, y"])
(csv/read-csv "a;b" :separator \;) ;; expect: (["a" "b"])
(with-open [r (java.io.StringReader. "1,2\n3,4")]
  (mapv (fn [row] (mapv #(Double/parseDouble %) row)) (csv/read-csv r))) ;; expect: [[1.0 2.0] [3.0 4.0]]
(csv/read-csv "") ;; expect: ()
(io/file "a" "b.csv") ;; expect: #object[java.io.File "a/b.csv"]
(try (io/reader "no/such/file.csv") (catch java.io.FileNotFoundException e :missing)) ;; expect: :missing
(csv/read-csv "a,\"b") ;; expect-error: U003
