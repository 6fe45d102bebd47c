import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  /** What commands find in their environment, beside what is in that of this process. */
  environment: Readonly<Record<string, string>> = {}

  private constructor(readonly folder: string) {}

  /**
   * Packs the built library and installs the tarball, with what it depends on, into a new project.
   *
   * @param parent Folder in which the folder of the project is made. Default: that for temporary files.
   */
  static async create(parent = tmpdir()): Promise<Project> {
    const project = new Project(await mkdtemp(join(parent, 'agidb-package-')))
    await npm(REPOSITORY, 'pack', '--pack-destination', project.folder)
    const [tarball] = (await readdir(project.folder)).filter((name) => name.endsWith('.tgz'))
    await project.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
    await npm(project.folder, 'install', `./${tarball}`, '--prefer-offline', '--no-audit', '--no-fund')
    return project
  }

  /** The project in a folder that {@link create} made; `within`: a folder in it. */
  static at(folder: string, within = ''): Project {
    return new Project(join(folder, within))
  }

  path(...names: string[]): string {
    return join(this.folder, ...names)
  }

  /** Writes a file, and makes the folders above it that are missing. */
  async write(name: string, content: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true })
    await writeFile(this.path(name), content)
  }

  /** Runs a command in the project. Rejects, with what it wrote, when it fails. */
  run(command: string, ...args: string[]): Promise<Output> {
    return execute(command, args, { cwd: this.folder, env: { ...process.env, ...this.environment } })
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
