;; Every text of a move takes some milliseconds.
(func (export "move_text") (param i32) (param $taken i32) (result i32) (local $left i32)
  (local.set $left (i32.const 20000000))
  (loop $again
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br_if $again (local.get $left)))
  (i32.store8 (i32.const 1024) (i32.add (i32.const 48) (local.get $taken)))
  (i32.const 1))
