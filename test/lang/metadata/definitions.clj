;; What a definition says about itself.
;; Same in Clojure.
(defn area "The area of a disc." {:added "1.0"} [r] (* 3 r r))
(:doc (meta #'area)) ;; expect: "The area of a disc."
(:arglists (meta #'area)) ;; expect: ([r])
(:name (meta #'area)) ;; expect: area
(:added (meta #'area)) ;; expect: "1.0"
(def ^{:doc "A number." :unit :cm} size 5)
(select-keys (meta #'size) [:doc :unit]) ;; expect: {:doc "A number.", :unit :cm}
(def width "How wide." 7)
(:doc (meta #'width)) ;; expect: "How wide."
(def ^:private ^:flag hidden 1)
(map (meta #'hidden) [:private :flag]) ;; expect: (true true)
(defmacro twice "Two times." [x] (list '* 2 x))
(:doc (meta #'twice)) ;; expect: "Two times."
(:macro (meta #'twice)) ;; expect: true
(defn several ([x] x) ([x y & more] y))
(:arglists (meta #'several)) ;; expect: ([x] [x y & more])
