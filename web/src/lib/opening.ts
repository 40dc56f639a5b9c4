/** Opening tables: from a plan of seats to sitting at it. */
import type { GameCode } from '../games/types'
import { api, Trouble } from './api'
import { t } from './i18n.svelte'
import { remember } from './keys'
import { DEFAULT_LEVEL, FEWEST_PLAYERS } from './meta'
import type { GameInfo, NewTable } from './protocol'
import { go } from './router.svelte'
import { settings } from './settings.svelte'

/** A table against bots, or alone, without any question; returns why not, if so. */
export async function openQuickTable(game: GameCode, isSolo: boolean): Promise<string> {
  return tryOpening(async () => {
    const info = (await api.games()).find((one) => one.code === game)
    const seats: NewTable['seats'] = [{ kind: 'here', name: settings.name || t('you') }]
    const players = isSolo ? FEWEST_PLAYERS[game] : 2
    while (seats.length < players) seats.push({ kind: 'bot', level: DEFAULT_LEVEL, name: botName(info, DEFAULT_LEVEL) })
    await openTable({ game, seats })
  })
}

/** The name of a bot; the second of the same level at a table is told from the first by a number. */
export function botName(info: GameInfo | undefined, level: string, before = 0): string {
  const name = info?.bots.find((bot) => bot.level === level)?.name ?? level
  return before ? `${name} ${before + 1}` : name
}

/** Open a table, keep its secrets in this browser, and go there. */
export async function openTable(table: NewTable): Promise<void> {
  const opened = await api.open(table)
  const own = opened.keys.find(({ seats }) => seats.some((seat) => table.seats[seat]?.kind === 'here'))
  const links = opened.keys.filter((key) => key !== own)
  remember({ id: opened.id, game: table.game, key: own?.key ?? '', links, sitsDown: own !== undefined })
  go(`/t/${opened.id}`)
}

/** Do something that may fail; returns what to tell the visitor then. */
export async function tryOpening(action: () => Promise<void>): Promise<string> {
  try {
    await action()
    return ''
  } catch (error) {
    if (error instanceof Trouble && error.code !== 'offline' && error.message) return error.message
    return t('cannotReach')
  }
}
