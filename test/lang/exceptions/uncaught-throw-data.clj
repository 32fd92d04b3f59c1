;; A throw without its catch is an exception whose data say what was thrown.
(try (throw :tag 5) (catch Exception e (ex-data e))) ;; expect: {:error-type :anglican-uncaught-throw, :throw-tag :tag, :value 5}
(throw :tag 5) ;; expect-error: R008
