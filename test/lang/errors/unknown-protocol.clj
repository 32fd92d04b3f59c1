(defrecord Circle [r] Shape (area [this] (* r r))) ;; expect-error: F001
