/** The best scores of whoever plays in this browser, one for each category: a game with its options and number of players. */
import type { GameInfo, TableInfo } from './protocol'
import { isRecord, storeValue, readValue } from './storage'

const BESTS_KEY = 'threespan.bests'

export interface Best {
  score: number
  /** The table where it was reached. */
  table: string
  /** The best one before. */
  before: number | null
}

/** Matches whose scores can be compared. Options that only name a seat, such as who begins, do not matter. */
export function categoryOf(info: TableInfo, game: GameInfo): string {
  const seats = new Set(game.options.filter((option) => option.is_seat).map((option) => option.name))
  const options = Object.entries(info.options).filter(([name]) => !seats.has(name))
  return JSON.stringify([info.game, info.seats.length, ...options.sort(([one], [other]) => (one < other ? -1 : 1))])
}

/** Record the score of a table, which may be done repeatedly; returns the best score so far. */
export function recordScore(category: string, table: string, score: number): Best {
  const bests = read()
  const stored = bests[category]
  if (stored && (stored.table === table || stored.score >= score)) return stored
  const best = { score, table, before: stored?.score ?? null }
  storeValue('local', BESTS_KEY, { ...bests, [category]: best })
  return best
}

function read(): Record<string, Best> {
  const stored = readValue('local', BESTS_KEY)
  return isRecord(stored) ? (stored as Record<string, Best>) : {}
}
