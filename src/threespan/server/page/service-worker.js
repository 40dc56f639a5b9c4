/* Keeps the shell of the page, so that it opens without a network and can say that it has none. */
const VERSION = "1u4b9ty"
const FILES = ["/assets/index-RlqjTYvR.js","/assets/Board-BEaB86vu.js","/assets/Board-BTBybjne.js","/assets/Board-Hum5r0Xg.js","/assets/Learn-BDYXTNdt.js","/assets/Lobby-Bu_Kasjd.js","/assets/NewTable-D3mlcU9s.js","/assets/RefusalNote-EFKW8dV0.js","/assets/Replay-3ofgqHCM.js","/assets/RuleBook-BdhXlnQE.js","/assets/Rules-CNR3962-.js","/assets/SeatMark-DvRzSV0j.js","/assets/ShareLink-DBrHT-mh.js","/assets/Sheet-D-WOmodG.js","/assets/Table-CsmW0knC.js","/assets/de-SxBEmVn9.js","/assets/disclose-version-CV8rTP3r.js","/assets/en-DdFAGI11.js","/assets/words-Dq9yg-tL.js","/assets/words-DuluK5z8.js","/assets/words-x5hvsReR.js","/assets/Board-B5_zzU_D.css","/assets/Board-DO8PyPyr.css","/assets/Board-DP9zUTl_.css","/assets/Learn-qUjQhUf9.css","/assets/Lobby-BMiJByEG.css","/assets/NewTable-DH4UK2m7.css","/assets/RefusalNote-D_6dwglA.css","/assets/Replay-Dkg81P3u.css","/assets/RuleBook-Bve3ASUh.css","/assets/Rules-Cvv8Bzbr.css","/assets/SeatMark-CZigr3Rd.css","/assets/ShareLink--uOSq5if.css","/assets/Sheet-BFNA10VH.css","/assets/Table-BV4OrRQN.css","/assets/index-ColvoqJr.css"]
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
