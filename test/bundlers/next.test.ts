import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Project } from '../package/project.js'
import { leave, visit } from '../package/visit.js'
import { FIRST, ON_THE_EDGE, page, remembering, SECOND } from './programs.js'
import { ask, startServer, type Server } from './server.js'

const project = Project.at(inject('project'), 'next')
const NEXT = `${inject('tools')}/node_modules/next/dist/bin/next`

let server: Server | undefined

/** A route that answers with what it recalls. */
const route = (open: string, head: string) => `${remembering(open)}
${head}
export async function GET() {
  return Response.json(await remember().catch(({ code, message }) => ({ code, message })))
}
`

beforeAll(async () => {
  project.environment = { NEXT_TELEMETRY_DISABLED: '1' }
  // The bundlers are installed above the project, as in a workspace.
  await project.write('next.config.mjs', `export default { turbopack: { root: ${JSON.stringify(inject('tools'))} } }`)
  await project.write(
    'app/layout.jsx',
    'export default function Layout({ children }) { return <html><body>{children}</body></html> }',
  )
  await project.write(
    'app/page.jsx',
    `'use client'
    import { useEffect } from 'react'
    ${page("{ name: 'page' }").replace(/remember\(\)\.catch.*/, '')}
    export default function Page() {
      useEffect(() => { remember().catch(failed).then((seen) => Object.assign(globalThis, { seen })) }, [])
      return <p>A memory in a client component</p>
    }
  `,
  )
  await project.write(
    'app/node/route.js',
    route("{ path: './memory.agidb' }", "export const dynamic = 'force-dynamic'"),
  )
  await project.write('app/edge/route.js', route("{ storage: 'memory' }", "export const runtime = 'edge'"))
  await project.run(process.execPath, NEXT, 'build')
  server = await startServer(process.execPath, [NEXT, 'start', '--port', '0'], project.folder, project.environment)
}, 600_000)
afterAll(async () => {
  await Promise.all([leave(), server?.stop()])
})

test('a client component remembers across a reload', async () => {
  expect(await visit(server!.origin, 2)).toEqual([FIRST, SECOND])
})

test('a Node route remembers in a folder', async () => {
  expect(await ask(`${server!.origin}/node`)).toEqual(FIRST)
  expect(await ask(`${server!.origin}/node`)).toEqual(SECOND)
})

test('an edge route remembers in main memory', async () => {
  expect(await ask(`${server!.origin}/edge`)).toMatchObject({ ...ON_THE_EDGE, kernel: expect.any(String) })
})
