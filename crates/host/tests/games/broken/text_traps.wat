;; is not refused: `parse_position` failed: wasm trap: wasm `unreachable` instruction executed
(func (export "parse_position") (param $start i32) (param $length i32) (result i64)
  (if (i32.ne (local.get $length) (i32.const 2)) (then (unreachable)))
  (call $leave
    (i32.sub (i32.load8_u (i32.const 1026)) (i32.const 48))
    (i32.sub (i32.load8_u (i32.const 1027)) (i32.const 48))))
