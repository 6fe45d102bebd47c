import { checkedId, type Rows, UNSAID } from './rows.js'

/** What is kept of somebody over all threads, as working memory: `StorageResourceType` of Mastra. */
export interface Resource {
  id: string
  workingMemory?: string
  metadata?: Record<string, unknown>
  createdAt: Date
  updatedAt: Date
}

/** A change of a resource: what is not given stays. */
export interface ResourceChange {
  readonly resourceId: string
  readonly workingMemory?: string
  readonly metadata?: Record<string, unknown>
}

/** The working memory by resource. */
export class Resources {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  async get(id: string): Promise<Resource | undefined> {
    const json = await this.#rows.get('resource', id)
    if (json === undefined) return undefined
    const resource = json as Omit<Resource, 'createdAt' | 'updatedAt'> &
      Readonly<Record<'createdAt' | 'updatedAt', string>>
    return { ...resource, createdAt: new Date(resource.createdAt), updatedAt: new Date(resource.updatedAt) }
  }

  async save(resource: Resource): Promise<Resource> {
    const id = checkedId('the id of the resource', resource.id)
    await this.#rows.put([{ kind: 'resource', id, value: resource, text: UNSAID, marks: { resource: id } }])
    return resource
  }

  /** Changes a resource, or makes it. */
  async update({ resourceId, workingMemory, metadata }: ResourceChange): Promise<Resource> {
    const now = new Date()
    const before = (await this.get(resourceId)) ?? { id: resourceId, createdAt: now }
    const resource: Resource = {
      ...before,
      ...(workingMemory !== undefined && { workingMemory }),
      metadata: { ...(before as Partial<Resource>).metadata, ...metadata },
      updatedAt: now,
    }
    await this.save(resource)
    return resource
  }
}
