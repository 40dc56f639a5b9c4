/**
 * The games that the server offers, in the current language. The list is stored in the browser, so that the next visit can
 * show it at once while it is fetched again.
 */
import { fetchGames } from './fetch-games'
import type { GameInfo } from './protocol'
import { VERSION } from './protocol'
import { isRecord, storeValue, readValue } from './storage'

const GAMES_KEY = 'threespan.games'

interface StoredGames {
  version: number
  language: string
  games: GameInfo[]
}

let list = $state.raw<GameInfo[] | null>(null)
let hasFailed = $state(false)
let wanted = ''

export const games = {
  /** Null until it is loaded. */
  get list(): GameInfo[] | null {
    return list
  },
  /** Whether it could not be loaded. */
  get hasFailed(): boolean {
    return hasFailed && !list
  },
  find: (code: string): GameInfo | undefined => list?.find((game) => game.code === code),
  /** The name of a game; empty until the list is loaded. */
  nameOf: (code: string): string => games.find(code)?.name ?? '',
}

/** Load the list in a language; until then the previous one stays. */
export function loadGames(language: string): Promise<GameInfo[]> {
  if (wanted !== language) {
    wanted = language
    list = readStored(language) ?? list
  }
  const answer = fetchGames(language)
  answer.then(
    (found) => take(language, found),
    () => (hasFailed = true),
  )
  return answer
}

function take(language: string, found: GameInfo[]): void {
  if (wanted !== language || list === found) return
  list = found
  hasFailed = false
  storeValue('local', GAMES_KEY, { version: VERSION, language, games: found } satisfies StoredGames)
}

function readStored(language: string): GameInfo[] | null {
  const stored = readValue('local', GAMES_KEY)
  if (!isRecord(stored) || stored.version !== VERSION || stored.language !== language) return null
  return Array.isArray(stored.games) ? (stored.games as GameInfo[]) : null
}
