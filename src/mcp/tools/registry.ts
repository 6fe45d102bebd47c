import type { Tool } from '../tool.js'
import { beliefs } from './beliefs.js'
import { browse } from './browse.js'
import { forget } from './forget.js'
import { goals } from './goals.js'
import { identity } from './identity.js'
import { introspect } from './introspect.js'
import { list } from './list.js'
import { perspectives } from './perspectives.js'
import { recall } from './recall.js'
import { remember } from './remember.js'
import { restore } from './restore.js'
import { searchDocuments } from './search-documents.js'
import { think } from './think.js'
import { update } from './update.js'

/** All tools, in the order in which clients show them. */
export const TOOLS: readonly Tool[] = [
  remember,
  recall,
  update,
  forget,
  restore,
  list,
  beliefs,
  goals,
  searchDocuments,
  browse,
  perspectives,
  think,
  identity,
  introspect,
]
