/**
 * Whether the runtime and not the operating system forbade a call: Deno without a permission (`NotCapable`, before Deno
 * 2 `PermissionDenied`).
 */
export function isDenied(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotCapable' || error.name === 'PermissionDenied')
}

/** What an error says where Deno may not read a file of the package. */
export function deniedReading(file: string): string {
  return (
    `Deno may not read ${file}: run it with --allow-read, or with --allow-read=. where the folder of the program has ` +
    'node_modules and the memory in it'
  )
}
