;; catch takes what Java's hierarchy says.
;; Same in Clojure.
(try (/ 1 0) (catch RuntimeException e :runtime)) ;; expect: :runtime
(try (/ 1 0) (catch IllegalArgumentException e :argument) (catch ArithmeticException e :arithmetic)) ;; expect: :arithmetic
(try (throw (ex-info "x" {})) (catch RuntimeException e :runtime)) ;; expect: :runtime
(try (throw (ex-info "x" {})) (catch clojure.lang.ExceptionInfo e (ex-data e))) ;; expect: {}
(try (throw (IllegalArgumentException. "x")) (catch RuntimeException e (.getMessage e))) ;; expect: "x"
(try (throw (IllegalStateException. "x")) (catch IllegalArgumentException e :a) (catch IllegalStateException e :s)) ;; expect: :s
(try (throw (Exception. "x")) (catch RuntimeException e :runtime) (catch Exception e :checked)) ;; expect: :checked
(try (inc nil) (catch ClassCastException e :cast) (catch NullPointerException e :null)) ;; expect: :null
(try (inc "a") (catch NullPointerException e :null) (catch ClassCastException e :cast)) ;; expect: :cast
(try (nth [1] 5) (catch IndexOutOfBoundsException e :index)) ;; expect: :index
(try ([1] 5) (catch IndexOutOfBoundsException e :index)) ;; expect: :index
(try (subs "abc" 5) (catch StringIndexOutOfBoundsException e :index)) ;; expect: :index
(try ((fn [x] x)) (catch clojure.lang.ArityException e :arity)) ;; expect: :arity
(try ((fn [x] x)) (catch IllegalArgumentException e :argument)) ;; expect: :argument
(try (first 5) (catch IllegalArgumentException e :argument)) ;; expect: :argument
(try (Long/parseLong "x") (catch NumberFormatException e :number)) ;; expect: :number
(try (Long/parseLong "x") (catch IllegalArgumentException e :argument)) ;; expect: :argument
(try (assert false) (catch Exception e :exception) (catch AssertionError e (.getMessage e))) ;; expect: "Assert failed: false"
(try (case 5 1 2) (catch IllegalArgumentException e :argument)) ;; expect: :argument
(try (+ 9223372036854775807 1) (catch ArithmeticException e :arithmetic)) ;; expect: :arithmetic
(try (compare 1 "a") (catch ClassCastException e :cast)) ;; expect: :cast
(try (pop []) (catch IllegalStateException e :state)) ;; expect: :state
(try (slurp "no-such-file") (catch java.io.FileNotFoundException e :file)) ;; expect: :file
(try (slurp "no-such-file") (catch RuntimeException e :runtime) (catch java.io.IOException e :io)) ;; expect: :io
(try (deref 5) (catch ClassCastException e :cast)) ;; expect: :cast
(try (eval 'no-such-name) (catch RuntimeException e :compiler)) ;; expect: :compiler
(map #(try (%) (catch Throwable e (class e))) [#(/ 1 0) #(inc nil) #(inc "a") #(first 5) #(nth [1] 5)]) ;; expect: (java.lang.ArithmeticException java.lang.NullPointerException java.lang.ClassCastException java.lang.IllegalArgumentException java.lang.IndexOutOfBoundsException)
(def cause (Exception. "inner"))
(ex-message (ex-cause (ex-info "outer" {} cause))) ;; expect: "inner"
(.getMessage (.getCause (RuntimeException. "outer" cause))) ;; expect: "inner"
(ex-message (RuntimeException. "m")) ;; expect: "m"
(try (try (/ 1 0) (catch NullPointerException e :null)) (catch ArithmeticException e :outer)) ;; expect: :outer
