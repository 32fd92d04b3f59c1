;; derive, isa? and multimethods that follow them.
;; Same in Clojure.
(derive ::square ::shape) ;; expect: nil
(derive ::circle ::shape)
(derive ::shape ::thing)
(isa? ::square ::shape) ;; expect: true
(isa? ::square ::thing) ;; expect: true
(isa? ::shape ::square) ;; expect: false
(isa? [::square ::circle] [::shape ::shape]) ;; expect: true
(isa? Long Number) ;; expect: true
(isa? 1 1) ;; expect: true
(= (parents ::square) #{::shape}) ;; expect: true
(= (ancestors ::square) #{::shape ::thing}) ;; expect: true
(= (descendants ::thing) #{::square ::circle ::shape}) ;; expect: true
(parents ::nothing) ;; expect: nil
(try (derive ::thing ::square) (catch Exception e :cycle)) ;; expect: :cycle
(defmulti area :shape)
(defmethod area ::shape [s] :some-shape)
(defmethod area ::circle [s] (* 3 (:r s) (:r s)))
(area {:shape ::circle :r 2}) ;; expect: 12
(area {:shape ::square}) ;; expect: :some-shape
(defmethod area :default [s] [:unknown (:shape s)])
(area {:shape :other}) ;; expect: [:unknown :other]
(underive ::circle ::shape)
(isa? ::circle ::shape) ;; expect: false
(defmulti show class)
(defmethod show Number [x] :number)
(defmethod show String [x] :string)
(defmethod show nil [x] :nothing)
(defmethod show Object [x] :object)
(map show [1 2.5 "a" nil :k]) ;; expect: (:number :number :string :nothing :object)
(defmulti pair (fn [a b] [(class a) (class b)]))
(defmethod pair [Number Number] [a b] :numbers)
(defmethod pair [Object Object] [a b] :things)
(pair 1 2.0) ;; expect: :numbers
(pair 1 "a") ;; expect: :things
(derive ::both ::left)
(derive ::both ::right)
(defmulti side identity)
(defmethod side ::left [x] :left)
(defmethod side ::right [x] :right)
(try (side ::both) (catch IllegalArgumentException e :ambiguous)) ;; expect: :ambiguous
(prefer-method side ::right ::left)
(side ::both) ;; expect: :right
((get-method side ::left) 1) ;; expect: :left
(count (methods side)) ;; expect: 2
(remove-method side ::right)
(side ::both) ;; expect: :left
(defmulti of-default identity :default :otherwise)
(defmethod of-default :otherwise [x] :o)
(of-default 5) ;; expect: :o
(def h (-> (make-hierarchy) (derive :a :b) (derive :b :c)))
(isa? h :a :c) ;; expect: true
(ancestors h :a) ;; expect: #{:c :b}
