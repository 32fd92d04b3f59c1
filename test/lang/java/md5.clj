;; MD5 as worksheets compute it.
;; Same in Clojure.
(import '(java.security MessageDigest) '(java.math BigInteger))
(defn md5 [s]
  (let [algorithm (MessageDigest/getInstance "MD5")
        size (* 2 (.getDigestLength algorithm))
        raw (.digest algorithm (.getBytes s))
        sig (.toString (BigInteger. 1 raw) 16)
        padding (apply str (repeat (- size (count sig)) "0"))]
    (str padding sig)))
(md5 "") ;; expect: "d41d8cd98f00b204e9800998ecf8427e"
(md5 "hello") ;; expect: "5d41402abc4b2a76b9719d911017c592"
(md5 "The quick brown fox jumps over the lazy dog") ;; expect: "9e107d9d372bb6826bd81d3542a419d6"
(defn hex [algorithm s]
  (let [d (doto (java.security.MessageDigest/getInstance algorithm) (.update (.getBytes s "UTF-8")))]
    (apply str (map #(format "%02x" %) (.digest d)))))
(hex "MD5" "abc") ;; expect: "900150983cd24fb0d6963f7d28e17f72"
(hex "SHA-1" "abc") ;; expect: "a9993e364706816aba3e25717850c26c9cd0d89d"
(format "%032x" (BigInteger. 1 (byte-array [1 -1]))) ;; expect: "000000000000000000000000000001ff"
(BigInteger. (byte-array [-1 0])) ;; expect: -256
(vec (.getBytes "aé")) ;; expect: [97 -61 -87]
(.pow (biginteger 2) 100) ;; expect: 1267650600228229401496703205376
(.add (biginteger 2) (biginteger 3)) ;; expect: 5
(.bitLength (biginteger 255)) ;; expect: 8
(BigInteger. "ff" 16) ;; expect: 255
(BigInteger. "12345678901234567890123") ;; expect: 12345678901234567890123
