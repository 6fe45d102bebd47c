/tmp/wt-o/bench/native/target/release/native_scan: /tmp/wt-o/bench/native/src/main.rs
