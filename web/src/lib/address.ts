/** The addresses of the page's screens. */
export type Route =
  | { screen: 'home' }
  | { screen: 'play'; game: string; mode: string }
  | { screen: 'lobby' }
  | { screen: 'table'; id: string }
  | { screen: 'replay'; id: string; step: number }
  | { screen: 'learn'; game: string }
  | { screen: 'rules'; game: string; clause: string }
  | { screen: 'lost' }

/** As the server generates them; anything else is a damaged link. */
const TABLE_ID = /^[a-z0-9]{1,32}$/

export function parse(path: string, hash = '', query = ''): Route {
  const parts = path.split('/').filter(Boolean).map(decoded)
  if (parts.includes(null)) return { screen: 'lost' }
  const [first = '', second = '', third = '', fourth = ''] = parts as string[]
  const fragment = decoded(hash.replace(/^#/, '')) ?? ''
  if (!first) return { screen: 'home' }
  if (first === 'lobby') return { screen: 'lobby' }
  if (first === 'play' && second)
    return { screen: 'play', game: second, mode: new URLSearchParams(query).get('with') ?? 'bots' }
  if (first === 'learn' && second) return { screen: 'learn', game: second }
  if (first === 'rules') return { screen: 'rules', game: second, clause: fragment }
  if (first === 't' && !TABLE_ID.test(second)) return { screen: 'lost' }
  if (first === 't' && third === 'replay') return { screen: 'replay', id: second, step: Number(fourth) || 0 }
  if (first === 't' && !third) return { screen: 'table', id: second }
  return { screen: 'lost' }
}

/** A decoded part of an address; null if it is malformed, for example because the link was cut off. */
export function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** The route of the current address. */
export const here = (): Route => parse(location.pathname, location.hash, location.search)
