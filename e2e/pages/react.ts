import { Component, createElement as h, type ReactNode, StrictMode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryProvider, useGoals, useMemories, useMemory, useRecall } from '../../src/adapters/react/index.js'
import { Agidb } from '../../src/runtimes/browser/index.js'

/** What components saw. */
const seen = {
  /** Commits in which two components that ask the same showed different answers. */
  torn: 0,
  /** Commits of the list, and frames meanwhile. */
  commits: 0,
  frames: 0,
}
const shown: Record<string, string> = {}

function List({ name }: { readonly name: string }): ReactNode {
  const { value = [] } = useMemories({ limit: 5 })
  const text = value.map((episode) => episode.text).join()
  shown[name] = text
  useEffect(() => {
    if (name === 'one') seen.commits++
    if (shown['one'] !== shown['two']) seen.torn++
  })
  return h('p', { id: `list-${name}` }, text)
}

function Answers(): ReactNode {
  const [cue, setCue] = useState('thai place')
  const { value, status } = useRecall(cue, { k: 3 })
  const goals = useGoals().value ?? []
  return h(
    'section',
    null,
    h('input', { 'aria-label': 'Ask', value: cue, onChange: (event) => setCue(event.currentTarget.value) }),
    h('p', { id: 'status' }, status),
    h(
      'ol',
      { id: 'matches' },
      value?.matches.map(({ id, text }) => h('li', { key: id }, text)),
    ),
    h('p', { id: 'goals' }, goals.map(({ description }) => description).join()),
  )
}

function Waiting(): ReactNode {
  const { value } = useMemory('first', { suspense: true })
  return h('p', { id: 'first' }, value?.text ?? 'gone')
}

function Wrong(): ReactNode {
  useRecall('x', { k: 0, suspense: true })
  return null
}

class Boundary extends Component<{ readonly children?: ReactNode }, { readonly code?: string }> {
  override state: { readonly code?: string } = {}
  static getDerivedStateFromError({ code }: { readonly code: string }) {
    return { code }
  }
  override render(): ReactNode {
    return this.state.code === undefined ? this.props.children : h('p', { id: 'error' }, this.state.code)
  }
}

/** Shows all of it in strict mode, over a memory in the browser. */
function start(name: string): Promise<unknown> {
  const db = Agidb.open({ name, codebook: 'none', extract: 'none', durability: 'relaxed' })
  const count = () => {
    seen.frames++
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  const waiting = h(Suspense, { fallback: h('p', { id: 'fallback' }, 'waiting') }, h(Waiting))
  createRoot(document.querySelector('#root')!).render(
    h(
      StrictMode,
      null,
      h(
        MemoryProvider,
        { db },
        h(Answers),
        h(List, { name: 'one' }),
        h(List, { name: 'two' }),
        waiting,
        h(Boundary, null, h(Suspense, null, h(Wrong))),
      ),
    ),
  )
  return db
}

declare global {
  interface Window {
    react: { start: typeof start; seen: typeof seen; db?: Awaited<ReturnType<typeof Agidb.open>> }
  }
}

window.react = { start, seen }
