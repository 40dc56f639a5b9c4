/** Which screen an address means. */
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

/** Where we are. */
export const here = (): Route => parse(location.pathname, location.hash, location.search)
