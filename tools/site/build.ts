/**
 * Builds the documentation as a site of static pages into the folder `site`: the pages of README and docs, the
 * reference of the public interface, a search by agidb itself, and examples that run in the page.
 *
 *     npm run docs
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { buildParts } from '../build-parts.js'
import { brokenLinks } from './check-links.js'
import { searchIndex } from './index-of.js'
import { layOut } from './layout.js'
import { fileOf, readGroups, readPages } from './pages.js'
import { buildReference } from './reference.js'
import { pictureOf, render } from './render.js'

const FOLDER = fileOf('site')
/** The scripts and styles of the pages, with the library, its worker and its kernel. */
async function buildScripts(): Promise<void> {
  await buildParts()
  await build({
    root: fileOf('tools/site/browser'),
    configFile: false,
    logLevel: 'warn',
    base: './',
    build: {
      target: 'es2022',
      outDir: join(FOLDER, 'assets'),
      emptyOutDir: true,
      assetsDir: '.',
      modulePreload: false,
      rolldownOptions: {
        input: fileOf('tools/site/browser/main.ts'),
        output: { entryFileNames: '[name].js' },
      },
    },
    worker: { format: 'es' },
  })
  copyFileSync(fileOf('tools/site/browser/style.css'), join(FOLDER, 'assets/style.css'))
  copyFileSync(fileOf('demo/public/icon.svg'), join(FOLDER, 'assets/icon.svg'))
}

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(join(FOLDER, 'pictures'), { recursive: true })
const pages = readPages()
const groups = readGroups(pages)
for (const page of pages) {
  const rendered = render(page)
  for (const picture of rendered.pictures) copyFileSync(fileOf(picture), join(FOLDER, pictureOf(picture)))
  writeFileSync(join(FOLDER, page.path), layOut(page, rendered, groups))
}
await buildScripts()
writeFileSync(join(FOLDER, 'search.agidb'), await searchIndex(pages))
await buildReference(join(FOLDER, 'api'))
const broken = brokenLinks(FOLDER)
for (const link of broken) console.error(`Error: a link leads nowhere: ${link}`)
if (broken.length > 0) process.exitCode = 1
console.log(`${pages.length} pages and the reference are in ${FOLDER}`)
