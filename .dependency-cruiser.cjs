// What may import what, type imports included. A folder of src uses only folders before it in this list.
const ORDER = [
  ...['base', 'api', 'http', 'kernel', 'encoding', 'models', 'extraction', 'llm', 'documents', 'summaries'],
  ...['records', 'storage', 'indexes', 'write', 'recall', 'memory', 'maintenance', 'transfer', 'config'],
  ...['pools', 'engine', 'rpc', 'runtimes', 'index', 'training', 'bams', 'mcp', 'adapters', 'inspector', 'cli'],
]
/** Parts that know less than their place in the order would let them. */
const ONLY = {
  models: ['base', 'api', 'http'],
  llm: ['base', 'api', 'http'],
  config: ['base', 'api'],
  bams: ['base', 'api'],
  mcp: ['base', 'api'],
  adapters: ['base', 'api', 'mcp', 'transfer/transcript'],
  inspector: ['base', 'api', 'runtimes/browser'],
  rpc: ['base', 'api', 'transfer'],
  'transfer/transcript': ['base', 'api', 'records'],
  pools: ['base', 'api', 'kernel', 'encoding', 'indexes', 'write', 'recall'],
}
const at = (part) => `^src/${part}(/|\\.ts$)`
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const uses = (part, allowed, pathNot = []) =>
  rule(
    `${part}-uses`,
    `src/${part} may use ${allowed.join(', ') || 'nothing else'}`,
    { path: at(part), pathNot },
    { path: '^src/', pathNot: [part, ...allowed].map(at) },
  )
/** A floor uses only floors before it in this list, and no floor's projection uses another's. */
const FLOORS = ['goals', 'beliefs', 'self', 'procedures', 'knowledge', 'concepts', 'sensory', 'working'].map(
  (floor) => `memory/${floor}`,
)
const later = (part, i) =>
  rule(
    `${part}-apart`,
    `${part} uses only ${FLOORS.slice(0, i).join(', ')}`,
    { path: at(part) },
    { path: FLOORS.slice(i + 1).map(at) },
  )
const ADAPTERS = ['memory', 'browser', 'node', 'postgres', 'sqlite', 'deno-kv'].map(
  (place) => `storage/adapters/${place}`,
)
const apart = (part) =>
  rule(
    `${part}-alone`,
    'an adapter knows no other adapter',
    { path: '^src/storage/', pathNot: at(part) },
    { path: at(part) },
  )

module.exports = {
  forbidden: [
    ...ORDER.map((part, i) => uses(part, ORDER.slice(0, i))),
    ...Object.entries(ONLY).map(([part, allowed]) => uses(part, allowed)),
    ...FLOORS.slice(0, -1).map(later),
    rule(
      'projections-apart',
      'a projection is a function of the log alone',
      { path: '^src/memory/([^/]+)/projection' },
      { path: '^src/memory/[^/]+/', pathNot: '^src/memory/$1/' },
    ),
    ...ADAPTERS.map(apart),
    rule(
      'engine-composes',
      'only runtimes, training and workers use the engine',
      { path: '^src/', pathNot: '^src/(engine|runtimes|training)/' },
      { path: '^src/engine/' },
    ),
    rule('named', 'a new folder of src has a place in ORDER', { path: '^src/', pathNot: ORDER.map(at) }, {}),
    rule(
      'node-by-name',
      'Node modules are used in files and folders named node, by the configuration and by the command line',
      { path: '^(src|workers)/', pathNot: '(/|-)node(/|-|\\.ts$)|^src/(cli|config)/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'built-kernel',
      'only kernel/wasm knows the built kernel',
      { pathNot: '^(src/kernel/wasm|test|bench)/' },
      { path: '^src/kernel/built/' },
    ),
    rule(
      'workers-thin',
      'a worker starts a host of the library',
      { path: '^workers/' },
      { path: '^src/', pathNot: '^src/(runtimes|pools|rpc|models|base|api)/' },
    ),
    rule(
      'library-alone',
      'the library knows nothing of the page, the tests and the benchmarks',
      { path: '^(src|workers)/' },
      { path: '^(demo|e2e|test|bench|tools)/' },
    ),
    rule(
      'demo-as-user',
      'the page uses what a user of the package can use',
      { path: '^demo/' },
      {
        path: '^(src|workers)/',
        pathNot: '^src/((runtimes|adapters)/[^/]+/index|transfer/transcript/index|inspector/index)\\.ts$',
      },
    ),
    rule('no-cycles', 'type imports count', {}, { circular: true }),
    rule(
      'resolvable',
      'the package names its own kernel and codebook',
      {},
      { couldNotResolve: true, pathNot: '^agidb/(kernel\\.wasm|codebook\\.bin)$|^cloudflare:workers$' },
    ),
    rule(
      'declared',
      'a peer is a dev dependency, too',
      { path: '^(src|workers)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    ),
    rule(
      'used',
      'every file of the library is used',
      { orphan: true, path: '^(src|workers)/', pathNot: '\\.d\\.ts$' },
      {},
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^((demo/)?dist|src/runtimes/browser/built|test/frameworks/programs)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
