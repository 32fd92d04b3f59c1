;; The dot, methods, fields and constructors.
;; Same in Clojure.
(. Math (sqrt 4)) ;; expect: 2.0
(. Math sqrt 4) ;; expect: 2.0
(. Math PI) ;; expect: 3.141592653589793
(Math/PI) ;; expect: 3.141592653589793
(. "abc" length) ;; expect: 3
(. "abc" (length)) ;; expect: 3
(. "abc" substring 1) ;; expect: "bc"
(.. "  a b " trim toUpperCase) ;; expect: "A B"
(.. "abc" (substring 1) (indexOf "c")) ;; expect: 1
(.toUpperCase "abc") ;; expect: "ABC"
(.length "abc") ;; expect: 3
(.substring "abcdef" 2 4) ;; expect: "cd"
(.charAt "abc" 1) ;; expect: \b
(.indexOf "abc" "z") ;; expect: -1
(.indexOf [1 2 3] 3) ;; expect: 2
(.contains "abc" "bc") ;; expect: true
(.startsWith "abc" "a") ;; expect: true
(vec (.split "a,b,c" ",")) ;; expect: ["a" "b" "c"]
(.equals 1 1) ;; expect: true
(.toString 5) ;; expect: "5"
(.get {:a 1} :a) ;; expect: 1
(.containsKey {:a 1} :a) ;; expect: true
(.size [1 2]) ;; expect: 2
(.doubleValue 1/2) ;; expect: 0.5
(map #(.length %) ["a" "bb"]) ;; expect: (1 2)
(Integer. "5") ;; expect: 5
(Double. "1.5") ;; expect: 1.5
(String. "a") ;; expect: "a"
(Character/isDigit \5) ;; expect: true
(Character/isLetter \5) ;; expect: false
(Integer/toString 255 16) ;; expect: "ff"
(Long/toHexString 255) ;; expect: "ff"
(Integer/toBinaryString 5) ;; expect: "101"
(Boolean/parseBoolean "True") ;; expect: true
(Double/isNaN ##NaN) ;; expect: true
(Math/floorMod -1 3) ;; expect: 2
(Thread/sleep 1) ;; expect: nil
(defrecord P [x y])
(.x (->P 1 2)) ;; expect: 1
(.-y (->P 1 2)) ;; expect: 2
(. (->P 1 2) x) ;; expect: 1
(:x (P. 3 4)) ;; expect: 3
