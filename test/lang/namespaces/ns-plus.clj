;; ns+ of nstools, as Anglican's user template has it: read as ns, :like is ignored.
(use 'nstools.ns)
(ns+ template.worksheet
  (:like anglican-user.worksheet)
  (:require [clojure.string :as s]))
(s/upper-case "a") ;; expect: "A"
::own ;; expect: :template.worksheet/own
