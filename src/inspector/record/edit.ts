import type { Episode } from '../../api/episode.js'
import { element, field, tick } from '../dom/element.js'
import type { Desk } from '../view.js'
import { type EpisodeForm, formOf, patchOf } from './patch.js'

/** Lets a person change what a memory says. */
export async function edit(desk: Desk, episode: Episode): Promise<void> {
  const before = formOf(episode)
  const text = element('textarea', { rows: '4', required: '', autofocus: '' })
  const metadata = element('textarea', { rows: '3', spellcheck: 'false', class: 'code' })
  const line = () => element('input', { autocomplete: 'off' })
  const moment = () => element('input', { type: 'datetime-local', step: '1' })
  const controls = {
    ...{ text, speaker: line(), session: line(), source: line() },
    ...{ at: moment(), validTo: moment(), expiresAt: moment(), tags: line(), metadata },
  }
  for (const [name, control] of Object.entries(controls)) control.value = before[name as keyof EpisodeForm]
  const keep = element('input', { type: 'checkbox', checked: '' })
  const { done } = desk.ask({
    title: 'Edit a memory',
    yes: 'Save',
    body: [
      field('Text', text),
      element(
        'div',
        { class: 'fields' },
        field('Speaker', controls.speaker),
        field('Source', controls.source),
        field('Session', controls.session),
        field('Tags', controls.tags, 'Separated by commas'),
        field('True from', controls.at),
        field('True until', controls.validTo),
        field('Forget at', controls.expiresAt),
      ),
      field('Metadata', metadata, 'A JSON object'),
      tick('Keep what it said before as a version', keep),
    ],
    act: async () => {
      const form = Object.fromEntries(Object.entries(controls).map(([name, { value }]) => [name, value]))
      await desk.db.update(episode.id, patchOf(episode, form as unknown as EpisodeForm), { keep: keep.checked })
    },
  })
  if (await done) desk.say('Saved.')
}

/** Lets a person say what is true instead of a memory, from a time on. */
export async function replace(desk: Desk, episode: Episode): Promise<void> {
  const text = element('textarea', { rows: '3', required: '', autofocus: '' })
  text.value = episode.text
  const at = element('input', { type: 'datetime-local', step: '1' })
  const { done } = desk.ask({
    title: 'Replace a memory',
    yes: 'Replace',
    body: [
      element('p', { class: 'note' }, 'It stays, with the time until which it was true.'),
      field('What is true instead', text),
      field('Since', at, 'Default: now'),
    ],
    act: async (signal) => {
      const { speaker, session, source } = episode
      const since = at.value === '' ? {} : { at: new Date(at.value) }
      const by = await desk.db.observe(text.value, { speaker, session, source, ...since })
      try {
        await desk.db.supersede(episode.id, by)
      } catch (error) {
        if (!signal.aborted) await desk.db.remove(by, 'it could not take the place of another')
        throw error
      }
    },
  })
  if (await done) desk.say('Replaced.')
}
