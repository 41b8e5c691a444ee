;; the move `1` is read as Ok(Code(1)), not as Code(2), in `70` after []
(func (export "move_text") (param i32) (param $taken i32) (result i32)
  (i32.store8 (i32.const 1024) (i32.const 49))
  (i32.const 1))
