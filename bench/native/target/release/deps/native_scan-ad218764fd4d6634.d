/tmp/wt-o/bench/native/target/release/deps/native_scan-ad218764fd4d6634.d: src/main.rs

/tmp/wt-o/bench/native/target/release/deps/native_scan-ad218764fd4d6634: src/main.rs

src/main.rs:
