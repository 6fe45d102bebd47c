import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** The files whose exports users see: the public types, the entries of the package and of the runtimes. */
function publicFiles(): string[] {
  const all = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  return all.filter((file) => /^(api\/.*|runtimes\/[^/]+\/index|[^/]+)\.ts$/.test(file.replaceAll('\\', '/')))
}

/** The names that a statement declares and exports; an export of what another file declares is documented there. */
function exportedNames(statement: ts.Statement): string[] {
  if (!ts.canHaveModifiers(statement)) return []
  if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement)) {
    // What a `Registration` is, its type says; the methods themselves are documented where they are declared.
    const own = statement.declarationList.declarations.filter(
      ({ type }) => !type?.getText().startsWith('Registration<'),
    )
    return own.map(({ name }) => name.getText())
  }
  const { name } = statement as ts.DeclarationStatement
  return [name === undefined ? 'default' : name.getText()]
}

test('Every exported name of the public types and of the entries has a doc comment.', () => {
  const undocumented = publicFiles().flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(SRC, file), 'utf8'), ts.ScriptTarget.Latest, true)
    const documented = new Set<string>()
    const bare: string[] = []
    for (const statement of source.statements) {
      const hasComment = ts.getJSDocCommentsAndTags(statement).length > 0
      for (const name of exportedNames(statement)) {
        // The overloads of a function, and an interface beside its constant, need one comment together.
        if (hasComment) documented.add(name)
        else bare.push(name)
      }
    }
    return bare.filter((name) => !documented.has(name)).map((name) => `${file}: ${name}`)
  })
  expect(undocumented).toEqual([])
})
