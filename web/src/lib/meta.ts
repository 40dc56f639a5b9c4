/** What the shell knows about the games to present them; no rules. */
import { GAMES, type GameCode } from '../games/types'

/** Actions without a place on the board: the shell shows them as buttons. */
export const PLACELESS: ReadonlySet<string> = new Set(['skip', 'stop', 'keep', 'pass', 'draw', 'roll again'])

/** Those of them that add nothing but the end of what one is doing: Done includes them. */
export const FINISHERS: ReadonlySet<string> = new Set(['skip', 'stop', 'pass'])

/** Games whose players hold something that others at the same device must not see. */
export const SECRETIVE: ReadonlySet<string> = new Set(['elfer'])

export const FEWEST_PLAYERS: Record<GameCode, number> = { hashi: 1, stege: 2, elfer: 2 }

export const DEFAULT_LEVEL = 'easy'

export function isGame(code: string): code is GameCode {
  return (GAMES as readonly string[]).includes(code)
}

/** Chance acts as one seat more than there can be. */
export const CHANCE = 4
export const WATCHER = -1
