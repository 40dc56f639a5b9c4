/**
 * What the page does before everything else, while its other files are still being loaded: it puts on the right colours,
 * and connects whoever opens the address of a table.
 */
import { here } from './address'
import { languageOf, readKept, systemTheme } from './kept'
import { keyOf, takeKeyFromAddress } from './keys'
import { WATCHER } from './meta'
import { openEarly } from './socket'

const kept = readKept()
document.documentElement.dataset.theme = kept.theme ?? systemTheme()

const first = here()

/** The game of the table that the address means, once the server has told. */
export const firstGame = first.screen === 'table' ? connect(first.id) : null

function connect(table: string): Promise<string> {
  takeKeyFromAddress(table)
  return openEarly(table, { key: keyOf(table), language: languageOf(kept), seat: WATCHER, have: 0 })
}
