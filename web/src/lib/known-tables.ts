/** The tables that this browser has visited, with the keys of its seats. Keys come in the fragment of a link, which no server sees. */
import { decoded } from './address'
import { isRecord, storeText, storeValue, readText, readValue } from './storage'

export interface KnownTable {
  id: string
  game: string
  key: string
  at: number
  /** Invitations for the other seats, shown to whoever opened the table. */
  links: { seats: number[]; key: string }[]
  /** Join without asking for a name: whoever opened the table has been asked already. */
  joinsAtOnce: boolean
  /** The seats that the key gives access to, once the server has told. */
  seats: number[]
  /** Whether the match is over, as far as this browser knows. */
  isOver: boolean
}

const TABLES_KEY = 'threespan.tables'
const MAX_TABLES = 30
const EMPTY: KnownTable = { id: '', game: '', key: '', at: 0, links: [], joinsAtOnce: false, seats: [], isOver: false }

/** Newest first. */
export function knownTables(): KnownTable[] {
  const stored = readValue('local', TABLES_KEY)
  return Array.isArray(stored) ? stored.filter(isRecord).map((table) => ({ ...EMPTY, ...table })) : []
}

export function knownTable(id: string): KnownTable | null {
  return knownTables().find((table) => table.id === id) ?? null
}

export function rememberTable(table: Partial<KnownTable> & { id: string }): void {
  const others = knownTables().filter((known) => known.id !== table.id)
  const before = knownTable(table.id) ?? EMPTY
  const tables = [{ ...before, at: Date.now(), ...table }, ...others].slice(0, MAX_TABLES)
  storeValue('local', TABLES_KEY, tables)
  if (table.key) storeText('session', tabStorageKey(table.id), table.key)
}

/** Note that the match at a table is over. */
export function markOver(id: string): void {
  const tables = knownTables().map((known) => (known.id === id ? { ...known, isOver: true } : known))
  storeValue('local', TABLES_KEY, tables)
}

export function forgetTable(id: string): void {
  const others = knownTables().filter((known) => known.id !== id)
  storeValue('local', TABLES_KEY, others)
  storeText('session', tabStorageKey(id), null)
}

/** The key that this tab uses: the one it was opened with, else the one that the browser has stored. Empty for a spectator. */
export function keyOfTable(id: string): string {
  return readText('session', tabStorageKey(id)) ?? knownTable(id)?.key ?? ''
}

/** Move the key from the address bar into the storage, so that nobody copies it by accident. */
export function takeKeyFromAddress(id: string): void {
  const key = decoded(location.hash.slice(1))
  if (!key) return
  rememberTable({ id, key })
  history.replaceState(null, '', location.pathname + location.search)
}

export function seatLink(origin: string, id: string, key: string): string {
  return `${origin}/t/${id}#${encodeURIComponent(key)}`
}

const tabStorageKey = (id: string): string => `threespan.key.${id}`
