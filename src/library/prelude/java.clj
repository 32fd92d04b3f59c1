;; SPDX-License-Identifier: Apache-2.0
;; What programs call of Java's classes and of small libraries, written in the language: src/library/java.cpp has the
;; rest, src/front/interop.cpp and src/front/namespaces.def say which method or name means which function.

(defn %has? [coll x]
  (if (string? coll)
    (includes? coll (str x))
    (boolean (some (fn [item] (= item x)) coll))))

(defn %split-by
  ([s pattern] (clojure.string/split s (re-pattern pattern)))
  ([s pattern limit] (clojure.string/split s (re-pattern pattern) limit)))

(defn %apply-to [f & args] (apply f args))

(defn %name-of [x]
  (cond
    (class? x) (%class-name x)
    (%file? x) (%file-name x)
    (string? x) (last (clojure.string/split x #"/"))
    :else (name x)))

(defn %close [x] nil)

(defn %new-object [] (atom nil))

(defn %true-text? [x] (= "true" (clojure.string/lower-case (str x))))

(defn %parse-number [x] (if (string? x) (Long/parseLong x) (long x)))

(defn %parse-real [x] (if (string? x) (Double/parseDouble x) (double x)))

;; --- BigInteger ---

(def %big-zero (biginteger 0))
(def %big-one (biginteger 1))
(def %big-ten (biginteger 10))
(defn %big-add [a b] (biginteger (+' a b)))
(defn %big-subtract [a b] (biginteger (-' a b)))
(defn %big-multiply [a b] (biginteger (*' a b)))
(defn %big-divide [a b] (biginteger (quot a b)))
(defn %big-mod [a b] (biginteger (mod a b)))
(defn %big-negate [a] (biginteger (-' a)))
(defn %big-power [a n] (biginteger (expt (bigint a) n)))

;; --- MessageDigest: a map whose bytes grow with .update ---

(defn %message-digest [algorithm]
  (do (%digest-bytes algorithm [])
      {:algorithm algorithm :bytes (atom [])}))

(defn %digest-update [digest bytes]
  (do (swap! (:bytes digest) into (if (number? bytes) [bytes] bytes))
      nil))

(defn %digest-reset [digest]
  (do (reset! (:bytes digest) [])
      nil))

(defn %digest
  ([digest]
   (let [bytes (deref (:bytes digest))]
     (reset! (:bytes digest) [])
     (%digest-bytes (:algorithm digest) bytes)))
  ([digest bytes]
   (do (%digest-update digest bytes)
       (%digest digest))))

(defn %digest-length [digest]
  (count (%digest-bytes (:algorithm digest) [])))

;; --- byte arrays are vectors ---

(defn byte
  "The number as a byte, from -128 to 127."
  [x]
  (let [n (long x)]
    (if (< -129 n 128)
      n
      (throw (IllegalArgumentException. (str "Value out of range for byte: " x))))))

(defn byte-array
  "A vector of bytes: of n zeros, or of the numbers of a sequence."
  ([size-or-seq]
   (if (number? size-or-seq)
     (vec (repeat size-or-seq 0))
     (mapv byte size-or-seq)))
  ([size init-or-seq]
   (if (number? init-or-seq)
     (vec (repeat size (byte init-or-seq)))
     (vec (take size (concat (map byte init-or-seq) (repeat 0)))))))

;; --- clojure.core.memoize: limits on the number of remembered results are not kept ---

(defn %memoize-any [f & options] (memoize f))

;; --- clojure.set: relations are sets of maps ---

(defn %set-select [pred xset]
  (into (empty xset) (filter pred xset)))

(defn %set-project [xrel ks]
  (set (map (fn [row] (select-keys row ks)) xrel)))

(defn %set-rename [xrel kmap]
  (set (map (fn [row] (rename-keys row kmap)) xrel)))

(defn %set-index [xrel ks]
  (reduce
    (fn [m row]
      (let [k (select-keys row ks)]
        (assoc m k (conj (get m k #{}) row))))
    {}
    xrel))

(defn %join-rows [index kmap rel]
  (set
    (mapcat
      (fn [row]
        (map (fn [other] (merge other row))
             (get index (rename-keys (select-keys row (keys kmap)) kmap))))
      rel)))

(defn %set-join
  ([xrel yrel]
   (if (if (empty? xrel) false (not (empty? yrel)))
     (let [ks (intersection (set (keys (first xrel))) (set (keys (first yrel))))]
       (%set-join xrel yrel (zipmap ks ks)))
     #{}))
  ([xrel yrel kmap]
   (%join-rows (%set-index yrel (vals kmap)) kmap xrel)))

;; --- pictures: image-view shows the file ---

(defn %image-file [path]
  {:path (if (map? path) (:path path) (str path))})

;; --- text files ---

(defn line-seq
  "The lines of a reader as a sequence; nil when there are none."
  [reader]
  (seq (%text-lines (%reader-text reader))))

(defn %length [x] (if (%file? x) (%file-size x) (count x)))

(defn %parent-file [file]
  (let [path (%parent-path file)]
    (if (nil? path) nil (%file path))))

(defn %list-names [file] (map %file-name (%list-files file)))

(defn file-seq
  "The file and, of a folder, all files below it."
  [root]
  (tree-seq %is-folder? %list-files (%file root)))

(defn %copy-file
  "Writes the text of one file, reader or string into another file."
  [from to]
  (spit to (if (string? from) from (slurp from))))
