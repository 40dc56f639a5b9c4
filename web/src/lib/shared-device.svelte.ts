/** Several people at one device: it shows the table to whoever has to act, and covers it in between. */
import { games, loadGames } from './games.svelte'
import type { Update } from './protocol'
import { WATCHER } from './seats'
import { settings } from './settings.svelte'

/** The state of the table that decides who should have the device. */
interface SharedTable {
  game: string
  ownSeats: number[]
  /** The seats that have resigned. */
  resigned: number[]
  update: Update
}

export class SharedDevice {
  /** The seat whose player has to take the device before anything hidden is shown. */
  covered = $state<number | null>(null)

  /** Who has confirmed to have the device. */
  #holder = WATCHER
  #table: SharedTable | null = null

  constructor(private readonly viewAs: (seat: number) => void) {}

  /** The table has changed: show it to the right person. */
  passOn(table: SharedTable): void {
    this.#table = table
    const { game, ownSeats, resigned, update } = table
    const playing = ownSeats.filter((seat) => !resigned.includes(seat))
    if (ownSeats.length < 2 || !playing.length || update.result) {
      this.covered = null
      return
    }
    // The last one who has not resigned keeps the device.
    const wanted = playing.length > 1 ? playing.filter((seat) => update.now.acting.includes(seat)) : playing
    const [next] = wanted
    if (!games.list) void this.#passOnLater()
    if ((games.find(game)?.hidden ?? 'hands') === 'hands') {
      this.#cover(update, next)
      return
    }
    this.covered = null
    if (next !== undefined && !wanted.includes(update.seat)) this.viewAs(next)
  }

  /** The next player has confirmed to have the device. */
  uncover(): void {
    if (this.covered === null) return
    this.#holder = this.covered
    this.covered = null
    this.viewAs(this.#holder)
  }

  /** Until the list of games is loaded, every game is treated as one with hidden hands. */
  async #passOnLater(): Promise<void> {
    await loadGames(settings.language).catch(() => undefined)
    if (games.list && this.#table) this.passOn(this.#table)
  }

  /** A hand is shown only after its owner has confirmed to have the device, and until their turn is over. */
  #cover(update: Update, next: number | undefined): void {
    if (next !== undefined && next === this.#holder) return
    this.#holder = WATCHER
    this.covered = next ?? null
    if (update.seat !== WATCHER) this.viewAs(WATCHER)
  }
}
