;; class and type, by the names of Java and Clojure.
;; Same in Clojure.
(class 1) ;; expect: java.lang.Long
(class 1.0) ;; expect: java.lang.Double
(class 1/2) ;; expect: clojure.lang.Ratio
(class 1N) ;; expect: clojure.lang.BigInt
(class "s") ;; expect: java.lang.String
(class \a) ;; expect: java.lang.Character
(class :k) ;; expect: clojure.lang.Keyword
(class 's) ;; expect: clojure.lang.Symbol
(class true) ;; expect: java.lang.Boolean
(class nil) ;; expect: nil
(class []) ;; expect: clojure.lang.PersistentVector
(class {}) ;; expect: clojure.lang.PersistentArrayMap
(class (zipmap (range 20) (range 20))) ;; expect: clojure.lang.PersistentHashMap
(class #{}) ;; expect: clojure.lang.PersistentHashSet
(class (sorted-map)) ;; expect: clojure.lang.PersistentTreeMap
(class (sorted-set)) ;; expect: clojure.lang.PersistentTreeSet
(class '(1)) ;; expect: clojure.lang.PersistentList
(class (map inc [1])) ;; expect: clojure.lang.LazySeq
(class (range 3)) ;; expect: clojure.lang.LongRange
(class (atom 1)) ;; expect: clojure.lang.Atom
(class (delay 1)) ;; expect: clojure.lang.Delay
(class #"a") ;; expect: java.util.regex.Pattern
(class (ex-info "a" {})) ;; expect: clojure.lang.ExceptionInfo
(class (Exception. "a")) ;; expect: java.lang.Exception
(class (class 1)) ;; expect: java.lang.Class
(str (class 1)) ;; expect: "class java.lang.Long"
(str (class 's)) ;; expect: "class clojure.lang.Symbol"
(type 1) ;; expect: java.lang.Long
(type (with-meta [] {:type :foo})) ;; expect: :foo
(= (class 1) Long) ;; expect: true
(= (class "a") java.lang.String) ;; expect: true
[Long String] ;; expect: [java.lang.Long java.lang.String]
(.getName Long) ;; expect: "java.lang.Long"
(.getSimpleName (class 1)) ;; expect: "Long"
(class? Long) ;; expect: true
(map class [1 "a"]) ;; expect: (java.lang.Long java.lang.String)
(get {Long :long String :string} (class 2)) ;; expect: :long
(frequencies (map class [1 2 "a"])) ;; expect: {java.lang.Long 2, java.lang.String 1}
