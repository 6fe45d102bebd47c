import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const execute = promisify(execFile)

/** How a command ended that did not fail. */
export interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** Somebody's project that depends on agidb, outside of this repository. */
export class Project {
  private constructor(readonly folder: string) {}

  /** Packs the built library and installs the tarball, with what it depends on, into a new project. */
  static async create(): Promise<Project> {
    const project = new Project(await mkdtemp(join(tmpdir(), 'agidb-package-')))
    await npm(REPOSITORY, 'pack', '--pack-destination', project.folder)
    const [tarball] = (await readdir(project.folder)).filter((name) => name.endsWith('.tgz'))
    await project.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
    await npm(project.folder, 'install', `./${tarball}`, '--prefer-offline', '--no-audit', '--no-fund')
    return project
  }

  path(...names: string[]): string {
    return join(this.folder, ...names)
  }

  async write(name: string, content: string): Promise<void> {
    await writeFile(this.path(name), content)
  }

  /** Runs a command in the project. Rejects, with what it wrote, when it fails. */
  run(command: string, ...args: string[]): Promise<Output> {
    return execute(command, args, { cwd: this.folder })
  }

  /** The names of all installed files of the package. */
  async packed(): Promise<string[]> {
    return readdir(this.path('node_modules/agidb'), { recursive: true })
  }

  async manifest(): Promise<Record<string, unknown>> {
    return JSON.parse(await readFile(this.path('node_modules/agidb/package.json'), 'utf8')) as Record<string, unknown>
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true })
  }
}

function npm(folder: string, ...args: string[]): Promise<Output> {
  return execute('npm', [...args, '--ignore-scripts', '--loglevel=error'], { cwd: folder })
}
