;; `evaluate` is 40000; expected -30000 to 30000, in `70` after []
(func (export "evaluate") (param i32) (result i32)
  (i32.const 40000))
