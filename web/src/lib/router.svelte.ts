/** Which screen an address means, and going from one to another. */
import { tick } from 'svelte'

export type Route =
  | { screen: 'home' }
  | { screen: 'play'; game: string; mode: string }
  | { screen: 'lobby' }
  | { screen: 'table'; id: string }
  | { screen: 'replay'; id: string; step: number }
  | { screen: 'learn'; game: string }
  | { screen: 'rules'; game: string; clause: string }
  | { screen: 'lost' }

/** As the server makes them; anything else is a link that was cut off. */
const TABLE_ID = /^[a-z0-9]{1,32}$/

export function parse(path: string, hash = '', query = ''): Route {
  const [first = '', second = '', third = '', fourth = ''] = path.split('/').filter(Boolean).map(decodeURIComponent)
  const fragment = decodeURIComponent(hash.replace(/^#/, ''))
  if (!first) return { screen: 'home' }
  if (first === 'lobby') return { screen: 'lobby' }
  if (first === 'play' && second) return { screen: 'play', game: second, mode: new URLSearchParams(query).get('with') ?? 'bots' }
  if (first === 'learn' && second) return { screen: 'learn', game: second }
  if (first === 'rules') return { screen: 'rules', game: second || 'hashi', clause: fragment }
  if (first === 't' && !TABLE_ID.test(second)) return { screen: 'lost' }
  if (first === 't' && third === 'replay') return { screen: 'replay', id: second, step: Number(fourth) || 0 }
  if (first === 't' && !third) return { screen: 'table', id: second }
  return { screen: 'lost' }
}

const here = (): Route => parse(location.pathname, location.hash, location.search)

let current = $state.raw<Route>(here())

export const route = {
  get now(): Route {
    return current
  },
}

/** Go to an address of the page; with `replace`, Back does not return to where we are. */
export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path)
  const before = current.screen
  current = here()
  if (!replace && before !== current.screen) void settle()
}

/** A new screen begins at its top, and screen readers begin with its heading. */
async function settle(): Promise<void> {
  scrollTo(0, 0)
  await tick()
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}

addEventListener('popstate', () => (current = here()))

/** Links within the page change the screen without loading it anew. */
addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a')
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const isOurs = link.origin === location.origin && !link.target && !link.hasAttribute('download')
  if (!isOurs || link.pathname.startsWith('/api/')) return
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
})
