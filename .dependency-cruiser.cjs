// What may import what, type imports included. Each part of the library names the parts that it may use; the rest
// is forbidden. The order here is the order of the house: a part uses only parts above it.
const MAY_USE = {
  core: [],
  kernel: ['core'],
  hdc: ['core', 'kernel/port'],
  'storage/port': ['core'],
  storage: ['core', 'storage'],
  ranker: ['core'],
  codebook: ['core', 'ranker'],
  temporal: ['core'],
  floors: ['core', 'hdc', 'storage/port'],
  'floors/surprise-profile': ['core'],
  contrast: ['core', 'hdc'],
  indexes: ['core', 'kernel/port', 'hdc', 'temporal', 'codebook', 'storage/port', 'floors'],
  // How a memory leaves a place and comes to another.
  transfer: ['core', 'kernel/port', 'floors', 'storage/port', 'storage/changes', 'storage/crc32c'],
  recall: ['core', 'kernel/port', 'hdc', 'temporal', 'indexes', 'floors', 'ranker'],
  shards: ['core', 'kernel', 'indexes', 'recall'],
  lifecycle: ['core', 'codebook', 'kernel/port', 'hdc', 'storage/port', 'floors', 'indexes'],
  signers: ['core', 'kernel', 'codebook', 'indexes', 'lifecycle/waiting'],
  mind: ['core', 'codebook', 'kernel/port', 'hdc', 'floors', 'contrast', 'indexes', 'recall', 'lifecycle'],
  engine: ['core', 'codebook', 'ranker', 'kernel/port', 'storage/port', 'floors', 'indexes', 'recall', 'shards', 'signers', 'lifecycle', 'mind', 'transfer', 'hdc'],
  tabs: ['core', 'transfer/bytes'],
  threads: ['core', 'transfer/bytes'],
  onnx: ['core'],
  transcript: ['core'],
  edge: ['core', 'floors/surprise-profile', 'ranker/bundled', 'codebook', 'engine', 'kernel', 'storage/memory'],
  node: ['core', 'floors/surprise-profile', 'ranker/bundled', 'codebook', 'engine', 'kernel', 'shards', 'signers', 'storage/memory', 'storage/node'],
  browser: ['core', 'floors/surprise-profile', 'threads'],
  training: ['core', 'ranker', 'engine'],
  index: ['core', 'floors/surprise-profile', 'edge', 'node', 'browser'],
  cli: ['core', 'transcript', 'node', 'ranker', 'recall', 'training'],
}

/** A part is a folder or a file of `src`; a folder that has a part in it does not cover that part. */
const at = (part) => `^src/${part}(/|\\.ts$)`
const within = (part) => Object.keys(MAY_USE).filter((other) => other.startsWith(`${part}/`)).map(at)

const direction = Object.entries(MAY_USE).map(([part, uses]) => ({
  name: `${part.replace('/', '-')}-uses`,
  comment: uses.length === 0 ? `${part} uses no other part` : `${part} may use ${uses.join(', ')}`,
  severity: 'error',
  from: { path: at(part), pathNot: within(part) },
  to: { path: ['^src/', '^workers/', '^demo/', '^bench/', '^test/', '^tools/'], pathNot: [part, ...uses].map(at) },
}))

/** The places where episodes are kept. What no adapter owns (the journal, the block file) is there for all of them. */
const ADAPTERS = {
  memory: ['memory'],
  node: ['node', 'node-file', 'node-flock', 'node-holder', 'node-inode', 'node-lock', 'node-socket'],
  browser: ['browser', 'opfs', 'indexeddb', 'indexeddb-only', 'journaled', 'mirror', 'check-mirror', 'reconcile', 'rebuild', 'salvage-browser', 'sentinel', 'tab-lock', 'dom-error'],
}
const files = (names) => `^src/storage/(${names.join('|')})\\.ts$`

const adapters = Object.entries(ADAPTERS).map(([place, names]) => ({
  name: `adapter-${place}-alone`,
  comment: 'a storage adapter knows no other adapter, and what they share knows none of them',
  severity: 'error',
  from: { path: '^src/storage/', pathNot: files(names) },
  to: { path: files(names) },
}))

module.exports = {
  forbidden: [
    ...direction,
    ...adapters,
    {
      name: 'every-part-is-named',
      comment: 'a new folder of src belongs into MAY_USE in .dependency-cruiser.cjs',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(MAY_USE).map(at) },
      to: {},
    },
    {
      name: 'floors-apart',
      comment: 'a floor of the memory never imports another; what is its own may lie in a folder of its name',
      severity: 'error',
      from: { path: '^src/floors/([^/.]+)' },
      to: { path: '^src/floors/', pathNot: '^src/floors/$1[./]' },
    },
    {
      name: 'node-in-its-place',
      comment: 'Node modules only in the Node adapters, the Node loaders of kernel, codebook and encoder and the command line',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: ['^src/(cli/|node\\.ts$|onnx/node)', '^src/(shards|signers)/node\\.ts$', '^workers/(encoder|shard|signer)-node\\.ts$', files(ADAPTERS.node), '^src/(kernel|codebook)/built-node\\.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'node-kernel-for-node',
      comment: 'only the engine in Node reads kernel and codebook with Node',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '^src/node/engine\\.ts$' },
      to: { path: '^src/(kernel|codebook)/built-node\\.ts$' },
    },
    {
      name: 'kernel-behind-its-port',
      comment: 'the built kernel is known to its wrapper only',
      severity: 'error',
      from: { pathNot: ['^src/kernel/wasm', '^test/', '^bench/'] },
      to: { path: '^src/kernel/built/' },
    },
    { name: 'no-cycles', comment: 'type imports count', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'what is imported is there; the kernel by its public name once the package is built',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^agidb/(kernel\\.wasm|codebook\\.bin)$' },
    },
    {
      name: 'declared',
      comment: 'what is imported at run time is a dependency of the package',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      // What is a peer is a dev dependency, too, for the tests.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'library-alone',
      comment: 'the library knows nothing of the page, the tests and the benchmarks',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { path: '^(demo|e2e|test|bench|tools)/' },
    },
    {
      name: 'demo-as-a-user',
      comment: 'the page and the main job use what a user of the package can use',
      severity: 'error',
      from: { path: '^demo/' },
      to: { path: '^(src|workers)/', pathNot: '^src/(browser|node|transcript/index)\\.ts$' },
    },
    {
      name: 'nothing-lost',
      comment: 'every file of the library is used',
      severity: 'error',
      from: { orphan: true, path: '^(src|workers)/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(demo/)?dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
