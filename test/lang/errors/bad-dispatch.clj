;; No such dispatch character.
#%x ;; expect-error: S007
