// The files of these tests share modules. A module that is still loading when a file ends fails to load for all later
// files: so what the library loads on demand is loaded before the tests.
import '../../src/documents/html.js'
import '../../src/documents/markdown.js'
import { rulesExtractor } from '../../src/extraction/rules/extractor.js'
import '../../src/extraction/time/reader.js'

await rulesExtractor()
