;; Integer literals in several bases.
;; Same in Clojure.
42 ;; expect: 42
-17 ;; expect: -17
+5 ;; expect: 5
0 ;; expect: 0
0x1F ;; expect: 31
0xff ;; expect: 255
017 ;; expect: 15
2r1011 ;; expect: 11
36rZZ ;; expect: 1295
-0x10 ;; expect: -16
9223372036854775807 ;; expect: 9223372036854775807
-9223372036854775808 ;; expect: -9223372036854775808
