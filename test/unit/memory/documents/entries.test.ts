import { describe, expect, test } from 'vitest'
import type { ParsedDocument, ParsedPiece } from '../../../../src/api/document-parser.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'

/** Sections by lines that begin with number signs, and the paragraphs in them. */
function parsed(text: string): ParsedDocument {
  const pieces: ParsedPiece[] = []
  const open: { level: number; at: number }[] = []
  for (const match of text.matchAll(/[^\n]+/g)) {
    const [line] = match
    const [start, end] = [match.index, match.index + line.length]
    const level = /^#+/.exec(line)?.[0].length
    if (level === undefined) {
      const parent = open.at(-1)?.at
      pieces.push({ level: 7, ...(parent !== undefined && { parent }), start, end })
      continue
    }
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()
    const parent = open.at(-1)?.at
    const heading = line.replace(/^#+ /, '')
    pieces.push({ level: level as 1, heading, ...(parent !== undefined && { parent }), start, end })
    open.push({ level, at: pieces.length - 1 })
  }
  return { text, pieces }
}

const GUIDE = `# Kettle
## Descaling
Boil water with vinegar and leave it for an hour.
Rinse twice before the next use.
## Warranty
The maker replaces broken parts for two years.
`
const OTHER = `# Printer
## Paper jam
Open the rear door and pull the sheet out slowly.
## Warranty
The maker replaces broken parts for two years.
`

async function memory() {
  return openMemory({ extract: 'none', clock: () => Date.parse('2026-05-01T10:00:00Z') })
}

describe('entries of documents', () => {
  test('a document becomes a tree of sections and passages whose offsets slice the source', async () => {
    const db = await memory()
    const report = await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })
    expect(report).toMatchObject({ added: 6, kept: 0, moved: 0, superseded: 0 })
    const [root, ...others] = await db.entries.tree('kettle.md')
    expect(others).toEqual([])
    expect(root.entry.heading).toBe('Kettle')
    expect(root.children.map(({ entry }) => entry.heading)).toEqual(['Descaling', 'Warranty'])
    const [boil] = await db.entries.children(root.children[0].entry.id)
    expect(boil.path).toBe('Kettle > Descaling')
    expect(GUIDE.slice(boil.startOffset, boil.endOffset)).toBe(boil.content)
    expect((await db.entries.pathOf(boil.id)).map(({ content }) => content)).toEqual([
      '# Kettle',
      '## Descaling',
      boil.content,
    ])
    expect(await db.entries.sources()).toEqual([{ source: 'kettle.md', entries: 6 }])
    await db.close()
  })

  test('a search finds a passage by its words and by the headings above it', async () => {
    const db = await memory()
    await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })
    await db.entries.ingest(parsed(OTHER), { source: 'printer.md' })
    const [byWords] = await db.entries.search('how do I clean it with vinegar?')
    expect(byWords.entry.content).toBe('Boil water with vinegar and leave it for an hour.')
    expect(byWords.path.map(({ heading }) => heading)).toEqual(['Kettle', 'Descaling'])
    const found = await db.entries.search('printer sheet stuck')
    expect(found[0].entry.source).toBe('printer.md')
    const [section] = await db.entries.search('paper jam', { childrenK: 1 })
    expect(section.entry.path.startsWith('Printer')).toBe(true)
    await db.close()
  })

  test('a search finds one passage of each section, or as many as it is asked for', async () => {
    const db = await memory()
    const sections = ['Kettle', 'Printer'].map((name) => {
      const lines = ['is red', 'is heavy', 'is loud'].map((what) => `The ${name.toLowerCase()} of the office ${what}. `)
      return `# ${name}\n\n${lines.map((line) => line.repeat(30)).join('\n\n')}`
    })
    await db.entries.ingest(sections.join('\n\n'), { source: 'office.md' })
    const headings = async (perSection?: number) => {
      const options = { k: 4, ...(perSection !== undefined && { perSection }) }
      const found = await db.entries.search('the kettle of the office', options)
      return found.map(({ entry }) => entry.heading ?? entry.path)
    }
    expect(await headings()).toEqual(['Kettle', 'Printer'])
    expect((await headings(2)).filter((heading) => heading === 'Kettle')).toHaveLength(2)
    await expect(headings(0)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await db.close()
  })

  test('one recall finds what was said and what was read, and cites the place', async () => {
    const db = await memory()
    await db.observe('The kettle in the office is full of limescale.', { speaker: 'Ann' })
    await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })
    const { matches, prompt } = await db.recall('vinegar in the kettle', { budgetTokens: 200 })
    expect(matches.some(({ speaker }) => speaker === 'Ann')).toBe(true)
    const [entry] = matches.filter(({ text }) => text.startsWith('Boil'))
    expect(entry.entry).toMatchObject({ source: 'kettle.md', path: 'Kettle > Descaling', level: 7, type: 'raw' })
    expect(prompt.text).toContain(
      `kettle.md:${entry.entry!.startOffset}-${entry.entry!.endOffset}, Kettle > Descaling:`,
    )
    await db.close()
  })

  test('the same document again changes nothing, and one changed line touches its own entry', async () => {
    const db = await memory()
    await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })
    expect(await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })).toMatchObject({
      ...{ added: 0, kept: 6, moved: 0, superseded: 0 },
    })
    const changed = GUIDE.replace('two years', 'ten years')
    const report = await db.entries.ingest(parsed(changed), { source: 'kettle.md' })
    expect(report).toMatchObject({ added: 1, kept: 5, moved: 0, superseded: 1 })
    const found = await db.entries.search('broken parts')
    expect(found.map(({ entry }) => entry.content)).not.toContain('The maker replaces broken parts for two years.')
    expect(found[0].entry.content).toBe('The maker replaces broken parts for ten years.')
    const deep = await db.entries.search('broken parts', { deep: true })
    expect(deep.map(({ entry }) => entry.content)).toContain('The maker replaces broken parts for two years.')
    // And back again.
    expect(await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })).toMatchObject({
      ...{ added: 0, kept: 5, moved: 1, superseded: 1 },
    })
    expect((await db.entries.search('broken parts'))[0].entry.content).toContain('two years')
    await db.close()
  })

  test('a document is read again as it was before when another version of it was stored in part', async () => {
    let fails = false
    const summarize = () => (fails ? Promise.reject(new Error('no network')) : 'What the guide tells.')
    const db = await openMemory({ extract: 'none', clock: () => NOW, summarizer: { id: 'odd', summarize } })
    const step = (i: number, text: string) => `## Step ${i}\n\n${`${text} ${i}. `.repeat(15)}`
    const long = (text: string) => `# Kettle\n\n${[0, 1, 2, 3, 4, 5].map((i) => step(i, text)).join('\n\n')}`
    const [one, two] = [long('Boil water with vinegar'), long('Use citric acid')]
    const source = 'kettle.md'
    const { entries } = await db.entries.ingest(one, { source })
    fails = true
    await expect(db.entries.ingest(two, { source })).rejects.toMatchObject({ code: 'AGIDB_SUMMARIZER' })
    fails = false
    expect((await db.entries.ingest(one, { source })).entries).toEqual(entries)
    const found = (await db.entries.browse({ source, limit: 100 })).map(({ content }) => content).join('\n')
    expect(found).toContain('vinegar')
    expect(found).not.toContain('citric')
    // As often as it is asked again, it is the same.
    expect(await db.entries.ingest(one, { source })).toMatchObject({ entries, added: 0, moved: 0, superseded: 0 })
    await db.close()
  })

  test('a document that became empty is there again when it is stored as it was', async () => {
    const db = await memory()
    const source = 'kettle.md'
    const { entries } = await db.entries.ingest(parsed(GUIDE), { source })
    expect(await db.entries.ingest('', { source })).toMatchObject({ entries: [], superseded: entries.length })
    expect(await db.entries.search('vinegar')).toEqual([])
    expect(await db.entries.ingest(parsed(GUIDE), { source })).toMatchObject({ entries, moved: entries.length })
    expect((await db.entries.search('vinegar')).length).toBeGreaterThan(0)
    await db.close()
  })

  test('content of two documents is one entry, and stays when one of them is removed', async () => {
    const db = await memory()
    await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })
    await db.entries.ingest(parsed(OTHER), { source: 'printer.md' })
    const [shared] = await db.entries.search('broken parts')
    expect(shared.entry.places.map(({ source }) => source)).toEqual(['kettle.md', 'printer.md'])
    await db.entries.remove({ source: 'kettle.md' })
    expect(await db.entries.sources()).toEqual([{ source: 'printer.md', entries: 5 }])
    expect((await db.entries.get(shared.entry.id))?.source).toBe('printer.md')
    expect(await db.entries.search('vinegar', { k: 1 })).not.toMatchObject([{ entry: { source: 'kettle.md' } }])
    await db.close()
  })

  test.each(['source', 'session'])('content of two documents stays when the %s of one is unlearned', async (kind) => {
    const db = await memory()
    await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })
    await db.entries.ingest(parsed(OTHER), { source: 'printer.md' })
    const [{ entry: shared }] = await db.entries.search('broken parts')
    const target = { [kind]: 'kettle.md' } as { readonly source: string }
    expect(await db.unlearn(target, 'sold', { dryRun: true })).toMatchObject({ episodesRemoved: 4 })
    expect(await db.entries.get(shared.id)).toMatchObject({ places: shared.places })
    const { auditId } = await db.unlearn(target, 'sold')
    expect(await db.entries.sources()).toEqual([{ source: 'printer.md', entries: 5 }])
    const left = await db.entries.get(shared.id)
    expect(left?.places.map(({ source }) => source)).toEqual(['printer.md'])
    expect(JSON.stringify(await db.episodes())).not.toContain('kettle.md')
    // What was forgotten comes back; the content that stayed is in the other document alone.
    await db.restoreWithinWindow(auditId!)
    expect(await db.entries.sources()).toEqual([
      { source: 'kettle.md', entries: 4 },
      { source: 'printer.md', entries: 5 },
    ])
    await db.close()
  })

  test('entries that are not shown are found by deep searches alone', async () => {
    const db = await memory()
    const note = await db.entries.add('The door code is 4711.', { visibility: 'deep_only', type: 'impression' })
    const old = await db.entries.add('The sale of umbrellas ends soon.', { expiresAt: '2026-04-01' })
    expect(old.visibility).toBe('expiring')
    expect(await db.entries.search('door code')).toEqual([])
    expect((await db.recall('door code')).matches).toEqual([])
    expect((await db.recall('door code', { deep: true })).matches[0].id).toBe(note.id)
    expect((await db.entries.search('sale of umbrellas', { deep: true }))[0].entry.id).toBe(old.id)
    expect(await db.entries.browse()).toEqual([])
    expect(await db.entries.browse({ deep: true })).toHaveLength(2)
    await db.close()
  })

  test('calls at the same time store each content once', async () => {
    const db = await memory()
    const documents = ['kettle.md', 'copy.md', 'kettle.md'].map((source) =>
      db.entries.ingest(parsed(GUIDE), { source }),
    )
    const [first, copy, again] = await Promise.all(documents)
    expect([first.added, copy.added, copy.moved, again.added, again.kept]).toEqual([6, 0, 6, 0, 6])
    const notes = await Promise.all([db.entries.add('a note'), db.entries.add('a note')])
    expect(notes[0]).toEqual(notes[1])
    expect((await db.stats()).episodes).toBe(7)
    await db.close()
  })

  test('the same content is the same entry', async () => {
    const db = await memory()
    const one = await db.entries.add('abc')
    const other = await db.entries.add('abc', { type: 'impression' })
    expect(one.id).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(other).toEqual(one)
    expect((await db.stats()).episodes).toBe(1)
    await db.close()
  })

  test('content whose paragraph a document has no more is found again once it is added as a note', async () => {
    for (const note of [{}, { source: 'notes.md' }]) {
      const db = await memory()
      const source = 'kettle.md'
      await db.entries.ingest(parsed(GUIDE), { source })
      const content = 'Rinse twice before the next use.'
      await db.entries.ingest(parsed(GUIDE.replace(content, 'Dry it with a towel.')), { source })
      const tree = await db.entries.tree(source)
      const entry = await db.entries.add(content, note)
      expect(entry).toMatchObject({ content, relations: [], ...note })
      expect((await db.entries.search('rinse twice', { k: 1 }))[0].entry).toEqual(entry)
      // It does not stand in the document again.
      expect(await db.entries.tree(source)).toEqual(tree)
      await db.unlearn({ source }, 'asked for')
      expect(await db.entries.get(entry.id)).toEqual(entry)
      await db.close()
    }
  })

  test('content whose id an episode has that is no entry is refused', async () => {
    const db = await memory()
    const { id } = await db.entries.add('abc')
    await db.entries.remove(id)
    await db.observe('something else', { id })
    for (const entry of [{}, { source: 'plan' }])
      await expect(db.entries.add('abc', entry)).rejects.toMatchObject({ code: 'AGIDB_DUPLICATE_ID', details: { id } })
    expect((await db.stats()).episodes).toBe(1)
    await db.close()
  })

  test('an entry is put neither into itself nor into what is in it', async () => {
    const db = await memory()
    const house = await db.entries.add('house')
    const room = await db.entries.add('room', { parent: house.id, source: 'plan' })
    await db.entries.add('bed', { source: 'list' })
    const bed = await db.entries.add('bed', { parent: room.id, source: 'plan' })
    for (const parent of [house.id, room.id, bed.id])
      await expect(db.entries.add('house', { parent })).rejects.toMatchObject({
        code: 'AGIDB_INVALID_ARGUMENT',
        message: expect.stringContaining('parent') as string,
      })
    expect((await db.entries.children(house.id)).map(({ content }) => content)).toEqual(['room'])
    expect(await db.entries.children(bed.id)).toEqual([])
    await db.entries.add('bed', { parent: house.id, source: 'other plan' })
    expect((await db.entries.children(house.id)).map(({ content }) => content).sort()).toEqual(['bed', 'room'])
    await db.close()
  })

  test('an update gives an entry no other text, since its id is the hash of that, and changes all else', async () => {
    const db = await memory()
    const text = '# Kettle\n\nBoil water.'
    await db.entries.ingest(text, { source: 'kettle.md' })
    const [{ id }] = await db.entries.browse()
    const refused = { code: 'AGIDB_INVALID_ARGUMENT', message: expect.stringContaining('entries.remove') as string }
    await expect(db.update(id, { text: 'Never boil water.' })).rejects.toMatchObject(refused)
    await expect(db.update(id, { text: 'Never boil water.' }, { keep: false })).rejects.toMatchObject(refused)
    await db.update(id, { text, tags: ['tea'] })
    expect(await db.entries.get(id)).toMatchObject({ content: text, tags: ['tea'] })
    expect((await db.history(id)).map(({ version }) => version)).toEqual([1, 2])
    expect(await db.entries.ingest(text, { source: 'again.md' })).toMatchObject({ entries: [id], added: 0, moved: 1 })
    expect((await db.entries.browse({ source: 'again.md' })).map(({ content }) => content)).toEqual([text])
    await db.close()
  })

  test('entries are there after opening again, from the checkpoint and from the journal', async () => {
    await withFolder(async (path) => {
      for (const round of [0, 1, 2]) {
        const db = await Agidb.open({ path, extract: 'none', codebook: 'none' })
        if (round === 0) await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md' })
        const [root] = await db.entries.tree('kettle.md')
        expect(root.children[0].children.map(({ entry }) => entry.content)).toEqual([
          'Boil water with vinegar and leave it for an hour.',
          'Rinse twice before the next use.',
        ])
        expect((await db.entries.search('vinegar'))[0].entry.content).toContain('vinegar')
        await db.close()
      }
    })
  })

  test('wrong arguments are refused before anything is written', async () => {
    const db = await memory()
    const refused = async (code: string, call: Promise<unknown>) =>
      expect(await call.catch((error: unknown) => error)).toMatchObject({ code })
    await refused('AGIDB_INVALID_TEXT', db.entries.add(' '))
    await refused('AGIDB_NOT_FOUND', db.entries.add('x', { parent: 'nothing' }))
    await refused('AGIDB_INVALID_ARGUMENT', db.entries.add('x', { visibility: 'expiring' }))
    await refused('AGIDB_UNKNOWN_OPTION', db.entries.add('x', { colour: 'red' } as never))
    await refused('AGIDB_INVALID_ARGUMENT', db.entries.ingest('x', {} as never))
    await refused('AGIDB_INVALID_ARGUMENT', db.entries.ingest({ text: 'x', pieces: [{}] } as never, { source: 'a' }))
    await refused('AGIDB_INVALID_TEXT', db.entries.search(''))
    await refused('AGIDB_NOT_FOUND', db.entries.search('', { similarTo: 'x' }))
    await refused('AGIDB_INVALID_ARGUMENT', db.entries.browse({ limit: 0 }))
    await refused('AGIDB_NOT_FOUND', db.entries.remove('x'))
    expect((await db.stats()).episodes).toBe(0)
    await db.close()
  })

  test.each([
    [{ since: 'foo' }, 'AGIDB_INVALID_TIME', 'since is "foo"; expected a valid Date'],
    [{ until: 'foo' }, 'AGIDB_INVALID_TIME', 'until is "foo"; expected a valid Date'],
    [
      { since: '2026-05-02', until: '2026-05-01' },
      'AGIDB_INVALID_ARGUMENT',
      'not after since, 2026-05-02T00:00:00.000Z',
    ],
  ])('a search and a browse between wrong times %o name the option that was given', async (wrong, code, message) => {
    const db = await memory()
    for (const call of [db.entries.search('x', wrong), db.entries.browse(wrong)])
      await expect(call).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string })
    await db.close()
  })

  test.each([
    [{ tags: 'bad' }, 'AGIDB_INVALID_ARGUMENT', /^tags /],
    [{ perspectives: 5 }, 'AGIDB_INVALID_ARGUMENT', /^perspectives /],
    [{ metadata: [] }, 'AGIDB_INVALID_ARGUMENT', /^metadata /],
    [{ visibility: 7 }, 'AGIDB_INVALID_ARGUMENT', /^visibility /],
    [{ visibility: 'expiring' }, 'AGIDB_INVALID_ARGUMENT', /^visibility 'expiring' needs expiresAt/],
    [{ expiresAt: 'soon' }, 'AGIDB_INVALID_TIME', /^expiresAt is "soon"/],
    [{ at: 'soon' }, 'AGIDB_INVALID_TIME', /^at is "soon"/],
  ] as const)('the wrong option %o is refused for content that is there, too', async (wrong, code, message) => {
    const db = await memory()
    const source = 'kettle.md'
    await db.entries.ingest(GUIDE, { source })
    await db.entries.add('a note')
    const before = await db.entries.browse({ limit: 100 })
    for (const call of [
      db.entries.ingest(GUIDE, { source, ...wrong } as never),
      db.entries.add('a note', wrong as never),
    ])
      await expect(call).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string })
    expect(await db.entries.browse({ limit: 100 })).toEqual(before)
    await db.close()
  })

  test('options of a document or a note hold for new entries alone', async () => {
    const db = await memory()
    const source = 'kettle.md'
    const said = { tags: ['house'], perspectives: ['knowledge'], visibility: 'deep_only', metadata: { by: 'Ann' } }
    await db.entries.ingest(parsed(GUIDE), { source })
    await db.entries.add('a note')
    await db.entries.ingest(parsed(GUIDE), { source, ...said })
    await db.entries.ingest(parsed(`${GUIDE}A new line.\n`), { source, ...said })
    await db.entries.add('a note', said)
    const shown = (await db.entries.browse({ deep: true })).filter(({ tags }) => tags !== undefined)
    expect(shown.map(({ content }) => content)).toEqual(['A new line.'])
    expect(shown[0]).toMatchObject({ tags: ['house'], perspectives: ['knowledge'], visibility: 'deep_only' })
    await db.close()
  })

  test('a document that expires is found until then', async () => {
    let now = Date.parse('2026-05-01T10:00:00Z')
    const db = await openMemory({ extract: 'none', clock: () => now })
    await db.entries.ingest(parsed(GUIDE), { source: 'kettle.md', expiresAt: '2026-05-02' })
    const [{ entry }] = await db.entries.search('broken parts')
    expect(entry).toMatchObject({ visibility: 'expiring', expiresAt: '2026-05-02T00:00:00.000Z' })
    now = Date.parse('2026-05-02T00:00:00Z')
    expect(await db.entries.search('broken parts')).toEqual([])
    expect(await db.entries.browse()).toEqual([])
    expect(await db.entries.search('broken parts', { deep: true })).not.toEqual([])
    await db.close()
  })
})
