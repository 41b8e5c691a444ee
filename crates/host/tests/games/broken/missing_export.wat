;; the module does not export `play`
(func $play (param i32) (param $taken i32) (result i64)
  (i64.const 0))
