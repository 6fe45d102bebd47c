import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Application } from 'typedoc'
import { fileOf } from './pages.js'

/** An entry of `exports` in package.json: a path, or paths by conditions. */
type Export = string | { readonly types?: string; readonly default?: string }

/** What stands for the address of the guide until the place of a page is known. */
const GUIDE = 'agidb:guide'

/** The entries of the package that are code, with the source of each. */
function entries(): { readonly name: string; readonly source: string }[] {
  const { exports } = JSON.parse(readFileSync(fileOf('package.json'), 'utf8')) as { exports: Record<string, Export> }
  const all = Object.entries(exports).flatMap(([subpath, target]) => {
    const path = typeof target === 'string' ? target : (target.types ?? target.default ?? '')
    const module = /^\.\/dist\/(src\/.+?)(?:\.d\.ts|\.js)$/.exec(path)?.[1]
    return module === undefined ? [] : [{ name: `agidb${subpath.slice(1)}`, source: `${module}.ts` }]
  })
  // `agidb/standalone` is `agidb/browser` in one file.
  return all.filter(({ source }, i) => all.findIndex((one) => one.source === source) === i)
}

/** Makes the reference of the public interface, of its doc comments, in a folder of the site. */
export async function buildReference(folder: string): Promise<void> {
  const found = entries()
  const app = await Application.bootstrap({
    name: 'agidb',
    entryPoints: found.map(({ source }) => fileOf(source)),
    tsconfig: fileOf('tsconfig.build.json'),
    readme: 'none',
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    skipErrorChecking: true, // `check:types` looks for errors
    logLevel: 'Error',
    navigationLinks: { Guide: GUIDE },
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('the reference cannot be made: TypeDoc found no module')
  for (const module of project.children ?? []) {
    const source = [`src/${module.name}.ts`, `src/${module.name}/index.ts`]
    module.name = found.find((one) => source.includes(one.source))?.name ?? module.name
  }
  await app.generateDocs(project, folder)
  for (const page of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!page.endsWith('.html')) continue
    const path = join(folder, page)
    const guide = join(relative(dirname(path), dirname(folder)), 'guide.html')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(GUIDE, guide))
  }
}
