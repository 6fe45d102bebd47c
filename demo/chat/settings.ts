import { element } from '../element.js'
import { field, form } from '../mind/form.js'
import { builtIn, hasBuiltIn } from './built-in.js'
import { endpointModel } from './endpoint.js'
import { forgetKey, isKeyKept, keepKey, openKey } from './key.js'
import { ChatError, type ChatModel } from './model.js'
import { scripted } from './scripted.js'

const KEPT = 'agidb-app/endpoint'

/** The choice of the model, with the key of a server that needs one. */
export class Settings {
  readonly element: HTMLElement
  readonly #model = element('select', {})
  readonly #about = element('p', { class: 'note' })
  readonly #said = element('p', { class: 'note', role: 'status' })
  readonly #url = element('input', { type: 'url', required: '', placeholder: 'https://api.openai.com/v1' })
  readonly #name = element('input', { required: '', autocomplete: 'off', placeholder: 'gpt-4o-mini' })
  readonly #key = element('input', { type: 'password', autocomplete: 'off' })
  readonly #passphrase = element('input', { type: 'password', autocomplete: 'off' })
  readonly #server: HTMLElement
  readonly #forget = element('button', { type: 'button', class: 'small' }, 'Forget the key')
  #endpoint: ChatModel | undefined

  constructor() {
    const models: [value: string, label: string][] = [
      ['endpoint', 'A server with the interface of OpenAI'],
      ['scripted', 'Scripted: no model, it quotes memories'],
    ]
    this.#model.append(...models.map(([value, label]) => element('option', { value }, label)))
    this.#model.value = 'scripted'
    void hasBuiltIn().then((has) => {
      if (!has) return
      this.#model.prepend(element('option', { value: 'built-in' }, "The browser's own model"))
      if (this.#model.value === 'scripted') this.#model.value = 'built-in'
      this.#show()
    })
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as { readonly url?: string; readonly model?: string }
    this.#url.value = kept.url ?? ''
    this.#name.value = kept.model ?? ''
    this.#server = element(
      'div',
      { class: 'server' },
      form(
        'Server',
        [
          field('Address', this.#url),
          field('Model', this.#name),
          field('Key, if it needs one', this.#key),
          field('Passphrase that the key is kept under', this.#passphrase),
        ],
        'Use it',
        async () => {
          await this.#use().catch((error: unknown) => (this.#said.textContent = (error as Error).message))
          this.#show()
          return false // the address stays
        },
      ),
      this.#said,
      this.#forget,
    )
    this.#model.addEventListener('change', () => this.#show())
    this.#forget.addEventListener('click', () => {
      forgetKey()
      this.#endpoint = undefined
      this.#said.textContent = 'The key is forgotten.'
      this.#show()
    })
    this.element = element('div', { class: 'settings' }, field('Who answers', this.#model), this.#about, this.#server)
    this.#show()
  }

  /** The chosen model. @throws ChatError where the server is not set up */
  get model(): ChatModel {
    if (this.#model.value === 'scripted') return scripted
    if (this.#model.value === 'built-in') return builtIn
    if (this.#endpoint === undefined) throw new ChatError('Say first where the model is, and press “Use it”.')
    return this.#endpoint
  }

  async #use(): Promise<void> {
    const [url, model, passphrase] = [this.#url.value, this.#name.value, this.#passphrase.value]
    let key: string | undefined
    if (this.#key.value !== '') {
      key = this.#key.value
      if (passphrase !== '') await keepKey(key, passphrase)
    } else if (isKeyKept()) key = await openKey(passphrase)
    this.#endpoint = endpointModel({ url, model, ...(key !== undefined && { key }) })
    localStorage.setItem(KEPT, JSON.stringify({ url, model }))
    this.#said.textContent =
      key === undefined ? 'Ready, without a key.' : passphrase === '' ? 'Ready; the key is not kept.' : 'Ready.'
    this.#key.value = ''
    this.#passphrase.value = ''
  }

  #show(): void {
    const isServer = this.#model.value === 'endpoint'
    this.#server.hidden = !isServer
    this.#forget.hidden = !isKeyKept()
    this.#key.placeholder = isKeyKept() ? 'a key is kept: give its passphrase' : ''
    this.#about.textContent =
      isServer && this.#endpoint === undefined
        ? 'Questions, and the memories that bear on them, go to the server that you name.'
        : this.model.about
  }
}
