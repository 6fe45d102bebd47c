// The build puts in the version and the files of the page.
const CACHE = 'agidb-demo/' + 'VERSION'
const FILES = ['FILES']

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  event.waitUntil(dropOthers().then(() => clients.claim()))
})

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return
  event.respondWith(cached(event.request))
})

async function dropOthers() {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith('agidb-demo/') && name !== CACHE).map((name) => caches.delete(name)),
  )
}

async function cached(request) {
  const cache = await caches.open(CACHE)
  // A server may say `Vary: Origin`; these files are the same to every asker.
  return (await cache.match(request, { ignoreVary: true, ignoreSearch: request.mode === 'navigate' })) ?? fetch(request)
}
