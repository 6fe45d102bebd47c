import { codebookHere } from '../../src/runtimes/browser/codebook.js'

/** Times the codebook as an engine worker gets it, and posts the milliseconds; -1 if there is none. */
const started = performance.now()
void codebookHere(undefined)
  .then(({ codebook, codebookComing }) => codebook ?? codebookComing?.())
  .then(
    (codebook) => postMessage(codebook === undefined ? -1 : performance.now() - started),
    () => postMessage(-1),
  )
