/** Opening tables. */
import { api, ApiError } from './api'
import { loadGames } from './games.svelte'
import { t } from './i18n.svelte'
import { rememberTable } from './known-tables'
import type { BotInfo, GameInfo, NewTable } from './protocol'
import { go } from './router.svelte'
import { settings } from './settings.svelte'

export const DEFAULT_LEVEL = 'easy'

/** Open a table against bots, or alone, with the default options; returns the error text, if any. */
export async function openQuickTable(code: string, isSolo: boolean): Promise<string> {
  return errorTextOf(async () => {
    const game = (await loadGames(settings.language)).find((one) => one.code === code)
    const bot = game && defaultBot(game)
    const seats: NewTable['seats'] = [{ kind: 'here', name: settings.name }]
    const players = game ? clampPlayers(game, isSolo ? 1 : 2) : 1
    while (bot && seats.length < players) seats.push({ kind: 'bot', level: bot.level, name: bot.name })
    await openTable({ game: code, seats })
  })
}

/** The number of players nearest to `wanted` that the game allows. */
export function clampPlayers(game: GameInfo, wanted: number): number {
  return Math.min(Math.max(wanted, game.min_players), game.max_players)
}

/** The bot to play against unless the visitor chooses another. */
export function defaultBot(game: GameInfo): BotInfo | undefined {
  return game.bots.find((bot) => bot.level === DEFAULT_LEVEL) ?? game.bots[0]
}

/** The name of a bot; `before` bots of the same level sit at the table already, so it gets a number. */
export function botName(game: GameInfo, level: string, before = 0): string {
  const name = game.bots.find((bot) => bot.level === level)?.name ?? level
  return before ? `${name} ${before + 1}` : name
}

/** Open a table, store its keys in this browser, and go there. */
export async function openTable(table: NewTable): Promise<void> {
  const opened = await api.open(table)
  const own = opened.keys.find(({ seats }) => seats.some((seat) => table.seats[seat]?.kind === 'here'))
  const links = opened.keys.filter((key) => key !== own)
  rememberTable({ id: opened.id, game: table.game, key: own?.key ?? '', links, joinsAtOnce: own !== undefined })
  go(`/t/${opened.id}`)
}

/** Run something that may fail; returns the error text for the visitor, or nothing. */
export async function errorTextOf(action: () => Promise<void>): Promise<string> {
  try {
    await action()
    return ''
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'offline' && error.message) return error.message
    return t('cannotReach')
  }
}
