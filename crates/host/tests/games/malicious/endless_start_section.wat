;; `start section` failed: it took longer than allowed
(func $forever (loop $again (br $again)))
(start $forever)
