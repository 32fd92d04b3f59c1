;; instance? follows the hierarchy of classes.
;; Same in Clojure.
(map #(instance? Number %) [1 1.0 1/2 1N "a" nil]) ;; expect: (true true true true false false)
(instance? Long 1) ;; expect: true
(instance? Object "a") ;; expect: true
(instance? Object nil) ;; expect: false
(instance? Comparable 1) ;; expect: true
(instance? CharSequence "a") ;; expect: true
(instance? clojure.lang.IFn :a) ;; expect: true
(instance? clojure.lang.IPersistentMap {}) ;; expect: true
(instance? clojure.lang.Sequential '(1)) ;; expect: true
(instance? clojure.lang.Sequential [1]) ;; expect: true
(instance? clojure.lang.ISeq [1]) ;; expect: false
(instance? RuntimeException (ex-info "a" {})) ;; expect: true
(instance? Exception (RuntimeException. "a")) ;; expect: true
(instance? RuntimeException (Exception. "a")) ;; expect: false
(instance? Class Long) ;; expect: true
(let [c String] (instance? c "a")) ;; expect: true
(defrecord Point [x y])
(instance? Point (->Point 1 2)) ;; expect: true
(instance? Point {:x 1 :y 2}) ;; expect: false
(instance? clojure.lang.IRecord (->Point 1 2)) ;; expect: true
