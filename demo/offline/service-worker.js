// The build puts in the version and the files of the page.
const PREFIX = 'agidb-demo/'
const CACHE = PREFIX + 'VERSION'
const FILES = ['FILES']
/** What other apps shared, until the page has taken it. It stays when a new version comes. */
const SHARED = 'agidb-shared'

// A new version waits until the page asks for it: nobody loses what is half-typed.
addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)))
})

addEventListener('activate', (event) => {
  event.waitUntil(dropOld().then(() => clients.claim()))
})

addEventListener('message', (event) => {
  if (event.data === 'take over') void skipWaiting()
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname } = new URL(request.url)
  if (request.method === 'POST' && pathname.endsWith('/share')) event.respondWith(shared(request))
  else if (request.method === 'GET' && new URL(request.url).origin === location.origin)
    event.respondWith(cached(request))
})

/** Tabs with the version before this one still load parts of it, so its cache stays; older ones go. */
async function dropOld() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)))
}

async function cached(request) {
  // A server may say `Vary: Origin`; these files are the same to every asker.
  const options = { ignoreVary: true, ignoreSearch: request.mode === 'navigate' }
  const cache = await caches.open(CACHE)
  const found = await cache.match(request, options)
  if (found !== undefined) return found
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue
    const before = await (await caches.open(name)).match(request, options)
    if (before !== undefined) return before
  }
  return fetch(request)
}

/** Keeps what was shared with the app, and opens the page, which takes it. */
async function shared(request) {
  const form = await request.formData()
  const cache = await caches.open(SHARED)
  const keep = (name, body) =>
    cache.put(
      `./shared/${crypto.randomUUID()}`,
      new Response(body, { headers: { 'X-Name': encodeURIComponent(name) } }),
    )
  const words = ['title', 'text', 'url'].map((name) => form.get(name)).filter((part) => part)
  if (words.length > 0) await keep('', words.join('\n'))
  for (const file of form.getAll('files')) if (file instanceof File && file.size > 0) await keep(file.name, file)
  return Response.redirect('./?shared', 303)
}
