import { startExamples } from './example.js'
import { startSearch } from './search.js'

startExamples()
startSearch()
