/* Keeps the shell of the page, so that it opens without a network and can say that it has none. */
const VERSION = "mvtpkw"
const FILES = ["/assets/index-BJnUyxT0.js","/assets/Board-1tOfIxmO.js","/assets/Board-BTBybjne.js","/assets/Board-qDgCxHBa.js","/assets/Learn-DcgNn3jV.js","/assets/Lobby-BOVzCv9-.js","/assets/NewTable-wdhuzM1Y.js","/assets/RefusalNote-BTsLFb7X.js","/assets/Replay-B7ZVlnFb.js","/assets/RuleBook-BAWuZHPn.js","/assets/Rules-CpZrPny-.js","/assets/SeatMark-DvRzSV0j.js","/assets/ShareLink-DllQKUNF.js","/assets/Sheet-BfVGQmU8.js","/assets/Table-D_O9SsqV.js","/assets/de-SxBEmVn9.js","/assets/disclose-version-CV8rTP3r.js","/assets/en-DdFAGI11.js","/assets/lesson-CV3W1_U3.js","/assets/words-DuluK5z8.js","/assets/words-h3ETJcP0.js","/assets/words-x5hvsReR.js","/assets/Board-B5_zzU_D.css","/assets/Board-CV7PGPQt.css","/assets/Board-Dtl7U60E.css","/assets/Learn-qUjQhUf9.css","/assets/Lobby-BMiJByEG.css","/assets/NewTable-DH4UK2m7.css","/assets/RefusalNote-CM0e1jX-.css","/assets/Replay-Dkg81P3u.css","/assets/RuleBook-Bve3ASUh.css","/assets/Rules-Cvv8Bzbr.css","/assets/SeatMark-CZigr3Rd.css","/assets/ShareLink--uOSq5if.css","/assets/Sheet-BFNA10VH.css","/assets/Table-BV4OrRQN.css","/assets/index-ColvoqJr.css"]
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
