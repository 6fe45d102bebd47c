import { element, field } from '../dom/element.js'
import type { Desk } from '../view.js'

/** Asks why, then does it. */
export async function askWhy(
  desk: Desk,
  { title, yes, text, act }: { title: string; yes: string; text: string; act: (reason: string) => Promise<unknown> },
): Promise<void> {
  const reason = element('input', { required: '', autocomplete: 'off', autofocus: '' })
  const { done } = desk.ask({
    title,
    yes,
    isDanger: true,
    body: [element('blockquote', {}, text), field('Reason', reason)],
    act: async () => void (await act(reason.value)),
  })
  if (await done) desk.say('Done.')
}
