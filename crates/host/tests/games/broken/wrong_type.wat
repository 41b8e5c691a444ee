;; `play` has another type:
(func $play (export "play") (param i32) (result i64)
  (i64.const 0))
