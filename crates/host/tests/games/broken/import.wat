;; the module imports `env.time`; expected no imports
(import "env" "time" (func $time (result i64)))
