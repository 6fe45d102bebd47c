/** How the declarations of a language are found in the syntax tree of its grammar. */
export interface Language {
  /** Of the grammar: `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string
  readonly extensions: readonly string[]
  /** Nodes that declare something with a name. */
  readonly declarations: readonly string[]
  /** Declarations whose members are declarations of their own, where they are long. */
  readonly containers: readonly string[]
  /** Nodes around a declaration that belong to it: `export`, decorators. */
  readonly wrappers?: readonly string[]
}

const SCRIPT = {
  declarations: [
    ...['function_declaration', 'generator_function_declaration', 'method_definition', 'lexical_declaration'],
    ...['class_declaration', 'abstract_class_declaration', 'interface_declaration', 'type_alias_declaration'],
    ...['enum_declaration', 'internal_module', 'module'],
  ],
  containers: ['class_declaration', 'abstract_class_declaration', 'internal_module', 'module'],
  wrappers: ['export_statement', 'expression_statement', 'ambient_declaration'],
}

/** The languages whose grammars `@vscode/tree-sitter-wasm` has, as their grammars name what they declare. */
export const LANGUAGES: readonly Language[] = [
  { grammar: 'typescript', extensions: ['ts', 'mts', 'cts'], ...SCRIPT },
  { grammar: 'tsx', extensions: ['tsx'], ...SCRIPT },
  { grammar: 'javascript', extensions: ['js', 'mjs', 'cjs', 'jsx'], ...SCRIPT },
  {
    grammar: 'python',
    extensions: ['py', 'pyi'],
    declarations: ['function_definition', 'class_definition'],
    containers: ['class_definition'],
    wrappers: ['decorated_definition'],
  },
  {
    grammar: 'rust',
    extensions: ['rs'],
    declarations: [
      ...['function_item', 'struct_item', 'enum_item', 'union_item', 'trait_item', 'impl_item', 'mod_item'],
      ...['macro_definition', 'type_item'],
    ],
    containers: ['trait_item', 'impl_item', 'mod_item'],
  },
  {
    grammar: 'go',
    extensions: ['go'],
    declarations: ['function_declaration', 'method_declaration', 'type_declaration'],
    containers: [],
  },
  {
    grammar: 'java',
    extensions: ['java'],
    declarations: [
      ...['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'],
      ...['method_declaration', 'constructor_declaration', 'annotation_type_declaration'],
    ],
    containers: ['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'],
  },
  {
    grammar: 'c-sharp',
    extensions: ['cs'],
    declarations: [
      ...['class_declaration', 'struct_declaration', 'interface_declaration', 'record_declaration'],
      ...['enum_declaration', 'method_declaration', 'constructor_declaration', 'namespace_declaration'],
    ],
    containers: [
      ...['class_declaration', 'struct_declaration', 'interface_declaration', 'record_declaration'],
      'namespace_declaration',
    ],
  },
  {
    grammar: 'cpp',
    extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
    declarations: ['function_definition', 'class_specifier', 'struct_specifier', 'namespace_definition'],
    containers: ['class_specifier', 'struct_specifier', 'namespace_definition'],
    wrappers: ['template_declaration'],
  },
  {
    grammar: 'php',
    extensions: ['php'],
    declarations: [
      ...['function_definition', 'class_declaration', 'interface_declaration', 'trait_declaration'],
      ...['enum_declaration', 'method_declaration'],
    ],
    containers: ['class_declaration', 'interface_declaration', 'trait_declaration'],
  },
  {
    grammar: 'ruby',
    extensions: ['rb'],
    declarations: ['method', 'singleton_method', 'class', 'module'],
    containers: ['class', 'module'],
  },
  { grammar: 'bash', extensions: ['sh', 'bash'], declarations: ['function_definition'], containers: [] },
]

/** The language of a file by its ending; `undefined` for an ending that is none's. */
export function languageOf(source: string): Language | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(source)?.[1].toLowerCase() ?? ''
  return LANGUAGES.find(({ extensions }) => extensions.includes(ending))
}
