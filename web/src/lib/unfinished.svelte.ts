/** The unfinished matches of this browser, newest first, with their state from the server. */
import { api, ApiError } from './api'
import { forgetTable, knownTables, markOver, type KnownTable } from './known-tables'
import type { TableInfo } from './protocol'

const MAX_TABLES = 5
const FRESH_MS = 30 * 24 * 3600 * 1000 // matches that were not visited for longer are not listed

export class Unfinished {
  tables = $state.raw<KnownTable[]>(candidates())
  infos = $state<Record<string, TableInfo>>({})

  /** Ask the server about all of them; those that are over or deleted disappear. */
  async refresh(): Promise<void> {
    this.tables = candidates()
    await Promise.all(this.tables.map((known) => this.#ask(known)))
  }

  async #ask({ id, seats }: KnownTable): Promise<void> {
    try {
      const info = await api.table(id)
      if (info.status === 'over' || (seats.length && seats.every((seat) => info.resigned.includes(seat)))) markOver(id)
      this.infos[id] = info
    } catch (error) {
      if (error instanceof ApiError && error.code === 'no_table') forgetTable(id)
    }
    this.tables = candidates()
  }
}

function candidates(): KnownTable[] {
  const oldest = Date.now() - FRESH_MS
  return knownTables()
    .filter((known) => known.game && known.key && !known.isOver && known.at > oldest)
    .slice(0, MAX_TABLES)
}
