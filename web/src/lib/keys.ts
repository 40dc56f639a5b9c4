/** The secrets of the seats that belong to this browser. They come in the fragment of a link, which no server sees. */

export interface KnownTable {
  id: string
  game: string
  key: string
  at: number
  /** Links for others, shown by whoever opened the table. */
  links: { seats: number[]; key: string }[]
  /** Sit down without asking: whoever opened the table has said everything already. */
  sitsDown: boolean
}

const KEY = 'threespan.tables'
const MOST = 30

/** Newest first. */
export function knownTables(): KnownTable[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as KnownTable[]
  } catch {
    return []
  }
}

export function knownTable(id: string): KnownTable | null {
  return knownTables().find((table) => table.id === id) ?? null
}

export function remember(table: Partial<KnownTable> & { id: string }): void {
  const others = knownTables().filter((known) => known.id !== table.id)
  const before = knownTable(table.id) ?? { game: '', key: '', at: 0, links: [], sitsDown: false }
  const tables = [{ ...before, at: Date.now(), ...table }, ...others].slice(0, MOST)
  store(() => localStorage.setItem(KEY, JSON.stringify(tables)))
  if (table.key) store(() => sessionStorage.setItem(tabKey(table.id), table.key ?? ''))
}

export function forget(id: string): void {
  store(() => localStorage.setItem(KEY, JSON.stringify(knownTables().filter((known) => known.id !== id))))
  store(() => sessionStorage.removeItem(tabKey(id)))
}

/** The key with which this tab sits at a table: its own, or the one that the browser knows. Empty for a watcher. */
export function keyOf(id: string): string {
  let own: string | null = null
  store(() => (own = sessionStorage.getItem(tabKey(id))))
  return own ?? knownTable(id)?.key ?? ''
}

/** Take the key out of the address bar, so that nobody copies it by accident. */
export function takeKeyFromAddress(id: string): void {
  const key = location.hash.slice(1)
  if (!key) return
  remember({ id, key: decodeURIComponent(key) })
  history.replaceState(null, '', location.pathname + location.search)
}

export function seatLink(id: string, key: string): string {
  return `${location.origin}/t/${id}#${encodeURIComponent(key)}`
}

const tabKey = (id: string): string => `threespan.key.${id}`

/** A browser that keeps nothing still plays, as long as the tab is open. */
function store(action: () => void): void {
  try {
    action()
  } catch {
    // Nothing to do.
  }
}
