/** Lets a process end while a timer still waits. In browsers a timer is a number, and there is nothing to do. */
export function unref(timer: unknown): void {
  ;(timer as { unref?(): void }).unref?.()
}
