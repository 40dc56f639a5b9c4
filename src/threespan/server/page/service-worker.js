/* Keeps the shell of the page, so that it opens without a network and can say that it has none. */
const VERSION = "11idlcb"
const FILES = ["/assets/index-0IXE_jqm.js","/assets/Board-BTBybjne.js","/assets/Board-CExvCwap.js","/assets/Board-qDgCxHBa.js","/assets/Learn-DuT-mX-8.js","/assets/Lobby-DuUFyjbY.js","/assets/NewTable-DdGbBZz5.js","/assets/RefusalNote-CFWMOfo4.js","/assets/Replay-CzO624r0.js","/assets/RuleBook-wpCMr1cO.js","/assets/Rules-CrmDAMhd.js","/assets/SeatMark-DvRzSV0j.js","/assets/ShareLink-CJIFNGMW.js","/assets/Sheet-B0KFxc5P.js","/assets/Table-CJuGjMc-.js","/assets/de-SxBEmVn9.js","/assets/disclose-version-CV8rTP3r.js","/assets/en-DdFAGI11.js","/assets/lesson-CV3W1_U3.js","/assets/words-DuluK5z8.js","/assets/words-h3ETJcP0.js","/assets/words-x5hvsReR.js","/assets/Board-B5_zzU_D.css","/assets/Board-B_44tLEZ.css","/assets/Board-CV7PGPQt.css","/assets/Learn-qUjQhUf9.css","/assets/Lobby-BMiJByEG.css","/assets/NewTable-DH4UK2m7.css","/assets/RefusalNote-CM0e1jX-.css","/assets/Replay-Dkg81P3u.css","/assets/RuleBook-Bve3ASUh.css","/assets/Rules-Cvv8Bzbr.css","/assets/SeatMark-CZigr3Rd.css","/assets/ShareLink--uOSq5if.css","/assets/Sheet-BFNA10VH.css","/assets/Table-BV4OrRQN.css","/assets/index-ColvoqJr.css"]
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
