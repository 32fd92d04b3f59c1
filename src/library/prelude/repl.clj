;; SPDX-License-Identifier: Apache-2.0
;; clojure.repl, and other functions that ask about the program itself.

(defn %doc [name]
  (let [text (%documentation name)]
    (if (nil? text)
      nil
      (do (println "-------------------------")
          (println text)
          nil))))

(defn %source [name]
  (let [text (%source-text name)]
    (println (if (nil? text) (str "Source not found: " name) text))
    nil))

(defn apropos
  "The names, of the library and of the program, in which the text or pattern is found."
  [text-or-pattern]
  (let [found? (if (string? text-or-pattern)
                 (fn [s] (includes? s text-or-pattern))
                 (fn [s] (re-find text-or-pattern s)))]
    (map symbol (filterv found? (%known-names)))))

(defn find-doc
  "Prints the documentation of all names in whose text the pattern is found."
  [text-or-pattern]
  (let [pattern (re-pattern text-or-pattern)]
    (doseq [name (%known-names)]
      (let [text (%documentation (symbol name))]
        (if (if (nil? text) false (re-find pattern text))
          (%doc (symbol name))
          nil)))))

(defn macroexpand-all
  "The form with all macros in it expanded, as far as they can be."
  [form]
  (prewalk (fn [part] (if (seq? part) (macroexpand part) part)) form))
