import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AgidbError } from '../base/errors.js'
import { ROWS, type SettingRow } from './rows.js'
import type { Configuration, EmbedderSettings, LlmSettings, Origin } from './settings.js'
import { ConfigFile } from './toml.js'

/** The beginnings of variables, the first before the second. The second are those of VecLayer. */
const PREFIXES = ['AGIDB_', 'VECLAYER_'] as const
const FILE_NAME = 'agidb.toml'

const DEFAULTS = {
  dataDir: './agidb-data',
  ollamaModel: 'llama3.2',
  ollamaUrl: 'http://localhost:11434',
  openaiModel: 'text-embedding-3-small',
  openaiUrl: 'https://api.openai.com/v1',
  llmModel: 'llama3.2',
  summarizer: 'extractive',
  host: '127.0.0.1',
  port: 8080,
  searchTopK: 5,
  searchChildrenK: 3,
} as const

/** Where a configuration is looked for. */
export interface ConfigPlaces {
  /** The folder of the memory where the caller knows it: it wins over all that is said elsewhere. */
  readonly dataDir?: string
  /** Default: the variables of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The folder to which paths are relative. Default: that of this process. */
  readonly cwd?: string
}

/**
 * Loads the configuration: what the environment says wins over the file, which wins over the defaults. The file is
 * `$AGIDB_CONFIG`, else `agidb.toml` in the folder of the memory, else `./agidb.toml`.
 *
 * @throws AgidbError `AGIDB_CONFIG`; `details` have the variable, or the file, the line and the key
 */
export function loadConfiguration(places: ConfigPlaces = {}): Configuration {
  return new Loading(places).run()
}

class Loading {
  readonly #places: ConfigPlaces
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #cwd: string
  readonly #file: ConfigFile | undefined
  readonly #origins: Record<string, Origin> = {}

  constructor(places: ConfigPlaces) {
    this.#places = places
    this.#environment = places.environment ?? process.env
    this.#cwd = places.cwd ?? process.cwd()
    this.#file = this.#found()
  }

  run(): Configuration {
    const type = this.#value(ROWS.embedder) ?? 'codebook'
    return {
      settings: {
        dataDir: this.#dataDir(),
        embedder: this.#embedder(type),
        llm: this.#llm(),
        summarizer: this.#value(ROWS.summarizer) ?? DEFAULTS.summarizer,
        host: this.#value(ROWS.host) ?? DEFAULTS.host,
        port: this.#value(ROWS.port) ?? DEFAULTS.port,
        searchTopK: this.#value(ROWS.searchTopK) ?? DEFAULTS.searchTopK,
        searchChildrenK: this.#value(ROWS.searchChildrenK) ?? DEFAULTS.searchChildrenK,
        readOnly: this.#value(ROWS.readOnly) ?? false,
      },
      ...(this.#file !== undefined && { file: this.#file.path }),
      origins: this.#origins,
    }
  }

  /** A path of the file is relative to the folder of the file, all others to the folder of this process. */
  #dataDir(): string {
    const said = this.#value(ROWS.dataDir)
    if (this.#places.dataDir !== undefined) return this.#places.dataDir
    if (said === undefined) return DEFAULTS.dataDir
    const isOfFile = this.#origins[ROWS.dataDir.key].kind === 'file'
    return isOfFile ? resolve(dirname(resolve(this.#cwd, this.#file!.path)), said) : said
  }

  #embedder(type: EmbedderSettings['type']): EmbedderSettings {
    if (type === 'codebook') return this.#checkUnused(type)
    const dimensions = this.#value(ROWS.dimensions)
    const more = dimensions === undefined ? {} : { dimensions }
    if (type === 'onnx') {
      const model = this.#value(ROWS.onnxModel)
      if (model === undefined) throw this.#missing(ROWS.onnxModel, 'the folder of model.onnx and tokenizer.json')
      return { type, model: this.#pathOf(ROWS.onnxModel, model) }
    }
    if (type === 'ollama')
      return {
        type,
        model: this.#value(ROWS.ollamaModel) ?? DEFAULTS.ollamaModel,
        baseUrl: this.#value(ROWS.ollamaUrl) ?? DEFAULTS.ollamaUrl,
        ...more,
      }
    const apiKey = this.#value(ROWS.openaiKey)
    return {
      type,
      model: this.#value(ROWS.openaiModel) ?? DEFAULTS.openaiModel,
      baseUrl: this.#value(ROWS.openaiUrl) ?? DEFAULTS.openaiUrl,
      ...(apiKey !== undefined && { apiKey }),
      ...more,
    }
  }

  /** A file that names a model of no embedder is mistaken. */
  #checkUnused(type: 'codebook'): EmbedderSettings {
    for (const { key } of [ROWS.ollamaModel, ROWS.ollamaUrl, ROWS.openaiKey, ROWS.dimensions])
      if (this.#file?.get(key) !== undefined)
        throw this.#file.error(key, 'needs embedder.type = "onnx", "ollama" or "openai"; the codebook has no model')
    return { type }
  }

  #llm(): LlmSettings {
    const provider = this.#value(ROWS.llmProvider) ?? 'ollama'
    const apiKey = this.#value(ROWS.llmApiKey)
    const baseUrl = provider === 'openai' ? DEFAULTS.openaiUrl : DEFAULTS.ollamaUrl
    return {
      provider,
      model: this.#value(ROWS.llmModel) ?? DEFAULTS.llmModel,
      baseUrl: this.#value(ROWS.llmBaseUrl) ?? baseUrl,
      ...(apiKey !== undefined && { apiKey }),
    }
  }

  #pathOf({ key }: SettingRow<string>, path: string): string {
    const isOfFile = this.#origins[key].kind === 'file'
    return resolve(isOfFile ? dirname(resolve(this.#cwd, this.#file!.path)) : this.#cwd, path)
  }

  #found(): ConfigFile | undefined {
    const named = this.#variable('CONFIG')
    const at = (path: string) => resolve(this.#cwd, path)
    if (named !== undefined) {
      if (!existsSync(at(named.value)))
        throw new AgidbError('AGIDB_CONFIG', `${named.variable} names ${named.value}, which is not there`, named)
      return ConfigFile.read(at(named.value))
    }
    const folder = this.#places.dataDir ?? this.#variable('DATA_DIR')?.value ?? DEFAULTS.dataDir
    const path = [join(folder, FILE_NAME), FILE_NAME].map(at).find((candidate) => existsSync(candidate))
    return path === undefined ? undefined : ConfigFile.read(path)
  }

  /** The value of a variable by either of its names. An empty one counts as not there. */
  #variable(name: string): { readonly variable: string; readonly value: string } | undefined {
    for (const prefix of PREFIXES) {
      const value = this.#environment[prefix + name]
      if (value !== undefined && value.trim() !== '') return { variable: prefix + name, value }
    }
    return undefined
  }

  #value<T>(row: SettingRow<T>): T | undefined {
    const said = this.#variable(row.variable)
    if (said !== undefined) {
      const value = row.kind.read(said.value)
      if (value === undefined) {
        const { variable } = said
        const message = `${variable} is ${shown(row, said.value)}; expected ${row.kind.expected}`
        throw new AgidbError('AGIDB_CONFIG', message, { variable, key: row.key })
      }
      this.#origins[row.key] = { kind: 'environment', variable: said.variable }
      return value
    }
    const raw = this.#file?.get(row.key)
    if (this.#file === undefined || raw === undefined) {
      this.#origins[row.key] = { kind: 'default' }
      return undefined
    }
    const value = row.kind.read(raw)
    if (value === undefined) {
      throw this.#file.error(row.key, `is ${shown(row, raw)}; expected ${row.kind.expected}`)
    }
    this.#origins[row.key] = { kind: 'file', file: this.#file.path }
    return value
  }

  #missing({ key, variable }: SettingRow<unknown>, what: string): AgidbError {
    const message = `the embedder "onnx" needs ${what}; say it as AGIDB_${variable}, or as ${key} of ${FILE_NAME}`
    return new AgidbError('AGIDB_CONFIG', message, { key, variable: `AGIDB_${variable}` })
  }
}

/** A wrong value for an error, unless it is a secret or an address that may have one. */
function shown({ isSecret = false }: SettingRow<unknown>, value: unknown): string {
  const said = JSON.stringify(value) ?? String(value)
  return isSecret || /[@?]/.test(said) ? 'something else' : said
}
