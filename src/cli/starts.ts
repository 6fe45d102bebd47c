/** Where a program runs. */
export const RUNTIMES = ['node', 'browser', 'deno', 'bun', 'cloudflare'] as const
export type RuntimeName = (typeof RUNTIMES)[number]

/** A first program with a memory: a folder of `examples`, which is in the package. */
export interface Start {
  /** The framework that it is for; `none`: the library alone. */
  readonly framework: string
  readonly runtimes: readonly RuntimeName[]
  /** The folder in `examples`. */
  readonly example: string
  /** Packages beside agidb that it needs. */
  readonly packages: readonly string[]
  /** The newest versions of these that take Node 20, where later ones do not. */
  readonly onNode20?: Readonly<Record<string, string>>
  /** What runs it; `%` stands for the runtime, such as `node`. */
  readonly run: string
}

/** What runs a program in a file, by the runtime. */
export const RUNS: Readonly<Partial<Record<RuntimeName, string>>> = {
  node: 'node',
  deno: 'deno run --allow-read --allow-write',
  bun: 'bun',
}

/** The programs that `agidb init` can begin with. To add one: its folder in `examples`, and a line here. */
export const STARTS: readonly Start[] = [
  { framework: 'none', runtimes: ['node', 'deno', 'bun'], example: 'node', packages: [], run: '% memory.mjs' },
  { framework: 'none', runtimes: ['browser'], example: 'browser', packages: ['vite'], run: 'npx vite' },
  {
    framework: 'none',
    runtimes: ['cloudflare'],
    example: 'cloudflare',
    packages: ['wrangler', '@cloudflare/workers-types'],
    run: 'npx wrangler dev',
  },
  {
    framework: 'react',
    runtimes: ['browser'],
    example: 'react',
    packages: ['react', 'react-dom', 'vite'],
    run: 'npx vite',
  },
  {
    framework: 'ai-sdk',
    runtimes: ['node'],
    example: 'ai-sdk',
    packages: ['ai', 'zod', 'tsx'],
    onNode20: { ai: '6' },
    run: 'npx tsx chat.mts',
  },
  {
    framework: 'langchain',
    runtimes: ['node'],
    example: 'langchain',
    packages: ['@langchain/core', '@langchain/langgraph', 'tsx'],
    run: 'npx tsx agent.mts',
  },
  {
    framework: 'openai-agents',
    runtimes: ['node'],
    example: 'openai-agents',
    packages: ['@openai/agents', 'zod', 'tsx'],
    onNode20: { '@openai/agents': '0.14.3' },
    run: 'npx tsx agent.mts',
  },
]
