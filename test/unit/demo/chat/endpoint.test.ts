import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { endpointModel } from '../../../../demo/chat/endpoint.js'
import { ChatError, type Message } from '../../../../demo/chat/model.js'
import { serve, type TestServer } from '../../http/server.js'

const MESSAGES: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  },
]

let server: TestServer
afterEach(() => server.close())

/** Streams events as a server with the interface of OpenAI does. */
function stream(response: ServerResponse, ...events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const data of events) response.write(`data: ${data}\n\n`)
  response.end()
}

const delta = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] })

async function answered(key?: string, signal = new AbortController().signal): Promise<string[]> {
  const model = endpointModel({ url: `${server.url}/v1/`, model: 'small', ...(key !== undefined && { key }) })
  const pieces: string[] = []
  for await (const piece of model.answer(MESSAGES, signal)) pieces.push(piece)
  return pieces
}

test('an answer is streamed in pieces, in whatever bits it arrives', async () => {
  server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const bytes = Buffer.from(`data: ${delta('Caf')}\n\ndata: ${delta('é ☕')}\n\ndata: [DONE]\n\n`)
    const send = (i: number) => {
      if (i >= bytes.length) return void response.end()
      response.write(bytes.subarray(i, i + 3), () => send(i + 3))
    }
    send(0)
  })
  expect(await answered()).toEqual(['Caf', 'é ☕'])
})

test('the messages and the key go to the server, and the key nowhere else', async () => {
  server = await serve((_, response) => stream(response, delta('Yes.'), '[DONE]'))
  await answered('sk-1')
  await answered()
  const [first, second] = server.received
  expect(first).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer sk-1' } })
  expect(second!.headers.authorization).toBeUndefined()
  expect(first!.body).toEqual({
    model: 'small',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'a\n\nb' },
    ],
  })
})

test.each([
  [401, 'does not take the key (HTTP 401).'],
  [404, 'has no such model, or no such address (HTTP 404).'],
  [500, 'refused to answer (HTTP 500).'],
])('a server that answers %i is told by what it means', async (status, told) => {
  server = await serve((_, response) => void response.writeHead(status).end())
  await expect(answered('sk-1')).rejects.toThrow(`${server.url} ${told}`)
})

test('an answer that breaks off, or has another form, is refused', async () => {
  server = await serve((_, response, n) => stream(response, delta('It w'), ...(n === 0 ? [] : ['<html>'])))
  await expect(answered()).rejects.toThrow(`${server.url} broke off in the middle of the answer.`)
  await expect(answered()).rejects.toThrow(`${server.url} answers in another form than that of OpenAI.`)
})

test('a server that cannot be reached is named', async () => {
  server = await serve(() => undefined)
  await server.close()
  const error = await answered().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ChatError)
  expect((error as Error).message).toContain(`${server.url} cannot be reached`)
})

test('a redirection is not followed: the key would go elsewhere', async () => {
  const other = await serve((_, response) => stream(response, delta('Mine!'), '[DONE]'))
  server = await serve((_, response) => void response.writeHead(307, { location: `${other.url}/v1` }).end())
  await expect(answered('sk-1')).rejects.toThrow(ChatError)
  expect(other.received).toEqual([])
  await other.close()
})

test('an answer that is stopped ends with the reason of the signal', async () => {
  server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${delta('It w')}\n\n`)
  })
  const stop = new AbortController()
  const model = endpointModel({ url: server.url, model: 'small' })
  const pieces: string[] = []
  const reading = (async () => {
    for await (const piece of model.answer(MESSAGES, stop.signal)) {
      pieces.push(piece)
      stop.abort(new Error('enough'))
    }
  })()
  await expect(reading).rejects.toThrow('enough')
  expect(pieces).toEqual(['It w'])
})
