import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { Project } from '../package/project.js'
import { toolsFolder, versions } from './tools.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a project in which the packed library is installed, and above which the bundlers are. */
    readonly project: string
    /** The folder in which the bundlers are installed. */
    readonly tools: string
  }
}

/** Installs the bundlers and packs the library, once for all tests of this folder. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const tools = await toolsFolder()
  console.log(`Node ${process.versions.node}\n${await versions()}`)
  await mkdir(join(tools, 'projects'), { recursive: true })
  const project = await Project.create(join(tools, 'projects'))
  provide('tools', tools)
  provide('project', project.folder)
  return () => project.remove()
}
