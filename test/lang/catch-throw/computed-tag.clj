;; Tags are compared by value.
(defquery q [] (let [t [:tag 1]] (catch t (throw [:tag 1] :ok))))
(:result (first (doquery :importance q []))) ;; expect: :ok
