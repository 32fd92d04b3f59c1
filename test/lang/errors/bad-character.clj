;; No such character.
\nosuchcharacter ;; expect-error: S006
