import { Window } from 'happy-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetKey, isKeyKept, keepKey, openKey } from '../../../../demo/chat/key.js'
import { ChatError } from '../../../../demo/chat/model.js'

const KEY = 'sk-secret-of-the-user'

let window: Window
beforeEach(() => {
  window = new Window({ url: 'https://app.example/' })
  vi.stubGlobal('localStorage', window.localStorage)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await window.happyDOM.close()
})

/** All that the page stored, as one text. */
function stored(): string {
  const { localStorage } = window
  return Array.from({ length: localStorage.length }, (_, i) => localStorage.getItem(localStorage.key(i)!)).join('\n')
}

test('a key that is kept is given back for its passphrase', async () => {
  expect(isKeyKept()).toBe(false)
  await keepKey(KEY, 'correct horse')
  expect(isKeyKept()).toBe(true)
  expect(await openKey('correct horse')).toBe(KEY)
})

test('neither the key nor the passphrase is stored as it is', async () => {
  await keepKey(KEY, 'correct horse')
  expect(stored()).toMatch(/"sealed":"[\w+/=]+"/)
  for (const secret of [KEY, 'correct horse', btoa(KEY), btoa('correct horse')]) expect(stored()).not.toContain(secret)
})

test('the same key is stored differently each time', async () => {
  await keepKey(KEY, 'correct horse')
  const first = stored()
  await keepKey(KEY, 'correct horse')
  expect(stored()).not.toBe(first)
  expect(await openKey('correct horse')).toBe(KEY)
})

test('another passphrase opens nothing, and the key stays', async () => {
  await keepKey(KEY, 'correct horse')
  await expect(openKey('correct house')).rejects.toThrow(ChatError)
  await expect(openKey('')).rejects.toThrow('That is not the passphrase of the key that is kept.')
  expect(await openKey('correct horse')).toBe(KEY)
})

test('a stored key that was changed is not opened', async () => {
  await keepKey(KEY, 'correct horse')
  const name = window.localStorage.key(0)!
  const kept = JSON.parse(window.localStorage.getItem(name)!) as { sealed: string }
  const bytes = Uint8Array.from(atob(kept.sealed), (c) => c.charCodeAt(0))
  bytes[0]! ^= 1
  window.localStorage.setItem(name, JSON.stringify({ ...kept, sealed: btoa(String.fromCharCode(...bytes)) }))
  await expect(openKey('correct horse')).rejects.toThrow(ChatError)
})

test('a passphrase is the same however its letters are composed', async () => {
  await keepKey(KEY, 'Caf\u00e9')
  expect(await openKey('Cafe\u0301')).toBe(KEY)
})

test('a key that is forgotten is gone', async () => {
  await keepKey(KEY, 'correct horse')
  forgetKey()
  expect(isKeyKept()).toBe(false)
  expect(stored()).toBe('')
  await expect(openKey('correct horse')).rejects.toThrow('No key is kept.')
})
