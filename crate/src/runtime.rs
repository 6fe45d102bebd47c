//! What the standard library would bring: memory, and how a defect stops the program.
//!
//! Without the standard library no message is put together before the program stops, and nothing of what
//! would write it is in the file that a page fetches.

use core::panic::PanicInfo;

#[global_allocator]
static MEMORY: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// JavaScript gets a `RuntimeError`, as it does from every trap.
#[panic_handler]
fn stop(_: &PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
