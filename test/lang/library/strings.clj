;; Strings of the library: every value was given by Clojure 1.11.
;; Same in Clojure.
((comp str inc dec) 3) ;; expect: "3"
(char 97) ;; expect: \a
(str 1 "a" :b nil \c 1.5 [1 "x"]) ;; expect: "1a:bc1.5[1 \"x\"]"
(str) ;; expect: ""
(str nil) ;; expect: ""
(str 1e10 " " 1e-5 " " 100.0 " " 1/3) ;; expect: "1.0E10 1.0E-5 100.0 1/3"
(str Double/POSITIVE_INFINITY Double/NaN) ;; expect: "InfinityNaN"
(str {:a "x"} #{1} '(1 2)) ;; expect: "{:a \"x\"}#{1}(1 2)"
(pr-str "a\n" \a \space :k 'sym nil true 1.0) ;; expect: "\"a\\n\" \\a \\space :k sym nil true 1.0"
(pr-str [1 [2 {:a #{3}}]]) ;; expect: "[1 [2 {:a #{3}}]]"
(subs "hello" 1 3) ;; expect: "el"
(subs "hello" 2) ;; expect: "llo"
(clojure.string/join ", " [1 2 3]) ;; expect: "1, 2, 3"
(clojure.string/join [1 2]) ;; expect: "12"
(clojure.string/split "a,b,,c,," #",") ;; expect: ["a" "b" "" "c"]
(clojure.string/split "a1b22c" #"\d+") ;; expect: ["a" "b" "c"]
(clojure.string/split "abc" #"") ;; expect: ["a" "b" "c"]
(clojure.string/split "a,b,c" #"," 2) ;; expect: ["a" "b,c"]
(clojure.string/split "" #",") ;; expect: [""]
(clojure.string/split " a b " #" ") ;; expect: ["" "a" "b"]
(clojure.string/replace "hello" "l" "L") ;; expect: "heLLo"
(clojure.string/replace "hello" #"l+" "[$0]") ;; expect: "he[ll]o"
(clojure.string/replace "a.b" "." "-") ;; expect: "a-b"
(clojure.string/replace "hello" \l \r) ;; expect: "herro"
(clojure.string/replace-first "hello" #"l" "L") ;; expect: "heLlo"
(clojure.string/upper-case "abc") ;; expect: "ABC"
(clojure.string/capitalize "hELLO") ;; expect: "Hello"
(clojure.string/reverse "abc") ;; expect: "cba"
(clojure.string/trim "  a b ") ;; expect: "a b"
(clojure.string/blank? "  ") ;; expect: true
(clojure.string/starts-with? "abc" "ab") ;; expect: true
(clojure.string/ends-with? "abc" "bc") ;; expect: true
(clojure.string/includes? "abc" "b") ;; expect: true
(clojure.string/index-of "abcb" "b") ;; expect: 1
(clojure.string/index-of "abc" "z") ;; expect: nil
(clojure.string/last-index-of "abcb" "b") ;; expect: 3
(clojure.string/split-lines "a\nb\r\nc\n\n") ;; expect: ["a" "b" "c"]
(re-find #"(\d+)-(\d+)" "x 12-34 y") ;; expect: ["12-34" "12" "34"]
(re-find #"\d+" "none") ;; expect: nil
(re-matches #"a(b)?c" "ac") ;; expect: ["ac" nil]
(re-matches #"a|ab" "ab") ;; expect: "ab"
(re-seq #"\w+" "ab cd, ef") ;; expect: ("ab" "cd" "ef")
(re-seq #"a*" "baac") ;; expect: ("" "aa" "" "")
(re-find #"(a|ab)(c|bcd)(d*)" "abcd") ;; expect: ["abcd" "a" "bcd" ""]
(re-find #"(?i)HELLO" "say hello") ;; expect: "hello"
(re-find #"^b" "a\nb") ;; expect: nil
(re-find #"(?m)^b" "a\nb") ;; expect: "b"
(re-find #"[^a-c]+" "abcxyz") ;; expect: "xyz"
(re-find #"x{2,3}?" "xxxx") ;; expect: "xx"
(re-find #"x{2,}" "xxxx") ;; expect: "xxxx"
(re-find #"(x+)(x+)" "xxxx") ;; expect: ["xxxx" "xxx" "x"]
(re-find #"(x+?)(x+)" "xxxx") ;; expect: ["xxxx" "x" "xxx"]
(re-find #"\bfoo\b" "a foo b") ;; expect: "foo"
(re-matches #"(?:ab)+" "ababab") ;; expect: "ababab"
(re-matches #"((a)|b)+" "ab") ;; expect: ["ab" "b" "a"]
(re-find #"a|b|c|d" "xd") ;; expect: "d"
(re-find #"[\w.]+@[a-z]+\.com" "mail bob.x@site.com now") ;; expect: "bob.x@site.com"
(re-find #"\$\{(\w+)\}" "a ${var} b") ;; expect: ["${var}" "var"]
(format "%d %5d|%-5d|%05d" 1 2 3 4) ;; expect: "1     2|3    |00004"
(format "%,d %+d" 1234567 5) ;; expect: "1,234,567 +5"
(format "%x %X %o" 255 255 8) ;; expect: "ff FF 10"
(format "%s %10s|%-10s|" "a" "b" "c") ;; expect: "a          b|c         |"
(format "%.2f %8.3f|%-8.1f|" 3.14159 2.71828 1.0) ;; expect: "3.14    2.718|1.0     |"
(format "%f %e %g" 1.5 12345.678 0.0001234) ;; expect: "1.500000 1.234568e+04 0.000123400"
(format "%6g" 0.123456789) ;; expect: "0.123457"
(format "%6g %6g %6g" 1e-5 1e6 123456.7) ;; expect: "1.00000e-05 1.00000e+06 123457"
(format "%.1f %.1f %.2f %.0f %.0f" 0.25 0.35 1.005 0.5 1.5) ;; expect: "0.3 0.4 1.01 1 2"
(format "%.3e %.0e" 0.00012345 15.0) ;; expect: "1.235e-04 2e+01"
(format "%b %c %n%%" true \x) ;; expect: "true x \n%"
(format "%s %s %s" nil [1 2] :k) ;; expect: "null [1 2] :k"
(format "%2$s %1$s" 1 2) ;; expect: "2 1"
(format "%5.1f%%" 45.678) ;; expect: " 45.7%"
(format "%g %g %g" 0.0 100000.0 999999.9) ;; expect: "0.00000 100000 1.00000e+06"
(format "%f" Double/NaN) ;; expect: "NaN"
(format "%(d %(.2f" -5 -1.5) ;; expect: "(5) (1.50)"
(format "%10.4f|%-12s|%08.2f" 3.14159 "abc" -3.5) ;; expect: "    3.1416|abc         |-0003.50"
(format "%.15g" 0.1) ;; expect: "0.100000000000000"
(format "%.20f" 0.1) ;; expect: "0.10000000000000000000"
(format "%s" 1.0E-5) ;; expect: "1.0E-5"
(name :a/b) ;; expect: "b"
(namespace :a/b) ;; expect: "a"
(keyword "x") ;; expect: :x
(keyword "a" "b") ;; expect: :a/b
(symbol "x") ;; expect: x
(parse-long "12") ;; expect: 12
(parse-long "1x") ;; expect: nil
(parse-double "1.5e3") ;; expect: 1500.0
(Integer/parseInt "42") ;; expect: 42
(Double/parseDouble "1.5") ;; expect: 1.5
(string? "") ;; expect: true
(keyword? :a) ;; expect: true
(symbol? 'a) ;; expect: true
(clojure.set/subset? #{1} #{1 2}) ;; expect: true
(clojure.set/rename-keys {:a 1 :b 2} {:a :c}) ;; expect: {:b 2, :c 1}
(with-out-str (print "a" 1) (println :b)) ;; expect: "a 1:b\n"
(apply str ["a" "b"]) ;; expect: "ab"
(char? \a) ;; expect: true
(clojure.string/join "," (map inc [1 2])) ;; expect: "2,3"
(pr-str (list 1 (map inc [1]))) ;; expect: "(1 (2))"
(keyword "a b") ;; expect: :a b
(keyword nil) ;; expect: nil
(clojure.string/triml "  x ") ;; expect: "x "
(clojure.string/trimr "  x ") ;; expect: "  x"
(clojure.string/trim-newline "x\n\n") ;; expect: "x"
(clojure.string/lower-case "ABC") ;; expect: "abc"
(subs "héllo" 1 2) ;; expect: "é"
(clojure.string/upper-case "héllo") ;; expect: "HÉLLO"
(apply str (reverse "abc")) ;; expect: "cba"
(map char [97 98]) ;; expect: (\a \b)
