/* Keeps the shell of the page, so that it opens without a network and can say that it has none. */
const VERSION = "1f05jnc"
const FILES = ["/assets/index-BX2S7ckg.js","/assets/Board-B2dEf3jO.js","/assets/Board-D91WpTvB.js","/assets/Board-qDgCxHBa.js","/assets/Learn-uAJt8cvY.js","/assets/Lobby-BD03B0wo.js","/assets/NewTable-jwAC2aJ1.js","/assets/RefusalNote-MG-B16CV.js","/assets/Replay-DS2aVml9.js","/assets/RuleBook-CVsYGgFx.js","/assets/Rules-CSIgDKlJ.js","/assets/SeatMark-DvRzSV0j.js","/assets/ShareLink-CqXcXFJH.js","/assets/Sheet-G_RNeVFJ.js","/assets/Table-8z-D63d9.js","/assets/de-SxBEmVn9.js","/assets/disclose-version-CV8rTP3r.js","/assets/en-DdFAGI11.js","/assets/lesson-CV3W1_U3.js","/assets/words-BFiqFy50.js","/assets/words-DuluK5z8.js","/assets/words-x5hvsReR.js","/assets/Board-BRsq0fxh.css","/assets/Board-CV7PGPQt.css","/assets/Board-Dtl7U60E.css","/assets/Learn-qUjQhUf9.css","/assets/Lobby-BMiJByEG.css","/assets/NewTable-DH4UK2m7.css","/assets/RefusalNote-CM0e1jX-.css","/assets/Replay-Dkg81P3u.css","/assets/RuleBook-Bve3ASUh.css","/assets/Rules-Cvv8Bzbr.css","/assets/SeatMark-CZigr3Rd.css","/assets/ShareLink--uOSq5if.css","/assets/Sheet-BFNA10VH.css","/assets/Table-BV4OrRQN.css","/assets/index-BVnJXnrk.css"]
const CACHE = `threespan-${VERSION}`
const PAGE = '/'

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([PAGE, ...FILES]))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api/')) return
  if (event.request.mode === 'navigate') {
    event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)))
  } else if (url.pathname.startsWith('/assets/')) {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
  }
})
