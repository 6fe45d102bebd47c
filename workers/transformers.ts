import { expose } from 'comlink'
import { decodeWithCanvas, encodeWithCanvas } from '../src/models/image/decode-browser.js'
import { openBrowserFolder } from '../src/models/transformers/folder-browser.js'
import { folderHost } from '../src/models/transformers/host.js'

expose(folderHost(openBrowserFolder, { decodeImage: decodeWithCanvas, encodeImage: encodeWithCanvas }))
