/**
 * Runs before everything else, while the other files are still being loaded: sets the theme, and connects to the table of
 * the address or fetches the list of games.
 */
import { here } from './address'
import { fetchGames } from './fetch-games'
import { languageOf, readSettings, systemTheme } from './stored-settings'
import { keyOfTable, takeKeyFromAddress } from './known-tables'
import { WATCHER } from './seats'
import { connectEarly } from './socket'

const stored = readSettings()
document.documentElement.dataset.theme = stored.theme ?? systemTheme()

const first = here()

/** The game of the table in the address, once the server has answered. */
export const firstGame = first.screen === 'table' ? connect(first.id) : null

function connect(table: string): Promise<string> {
  takeKeyFromAddress(table)
  return connectEarly(table, {
    key: keyOfTable(table),
    language: languageOf(stored),
    seat: WATCHER,
    notices_seen: 0,
    text_mode: stored.textMode,
  })
}

if (!firstGame) fetchGames(languageOf(stored)).catch(() => undefined) // it is fetched again when it is needed
