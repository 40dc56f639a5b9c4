/** How the people at this device can stop a match, and what that would mean for them. */
import { t } from './i18n.svelte'
import type { Table } from './table.svelte'

export type StopOption = 'restart' | 'resign' | 'end'

export class StopOptions {
  constructor(private readonly table: Table) {}

  /** What is possible now. Nobody can end a match in which other people play. */
  get available(): StopOption[] {
    const { table } = this
    if (!table.ownSeats.length || table.info?.status !== 'playing' || table.result) return []
    const isShared = table.otherPeople.some((seat) => !table.info?.seats[seat]?.level)
    const options: StopOption[] = isShared ? [] : ['restart']
    if (this.#players.includes(this.resigningSeat)) options.push('resign')
    return isShared ? options : [...options, 'end']
  }

  /** The seat that would resign: of several at this device, the one whose turn it is. */
  get resigningSeat(): number {
    const { table } = this
    const own = table.ownSeats.filter((seat) => this.#players.includes(seat))
    const wanted = [table.seat, table.device.covered, ...(table.update?.now.acting ?? []), ...own]
    return wanted.find((seat) => seat !== null && own.includes(seat)) ?? -1
  }

  /** Whether to ask for confirmation; not if nobody here has played anything yet. */
  needsConfirmation(option: StopOption): boolean {
    return option === 'resign' || this.table.notices.some((notice) => this.table.ownSeats.includes(notice.seat))
  }

  question(option: StopOption): string {
    if (option === 'resign' && this.table.ownSeats.length > 1)
      return t('askResignFor', { name: this.table.names[this.resigningSeat] ?? '' })
    return t(`ask.${option}`)
  }

  /** What happens then. */
  consequence(option: StopOption): string {
    if (option !== 'resign') return t(`means.${option}`)
    const others = this.#players.filter((seat) => seat !== this.resigningSeat)
    const [other] = others
    if (other === undefined) return t('resignAlone')
    if (others.length === 1) return t('resignWins', { name: this.table.names[other] ?? '' })
    return this.table.ownSeats.length > 1
      ? t('resignBotFor', { name: this.table.names[this.resigningSeat] ?? '' })
      : t('resignBot')
  }

  /** The seats that have not resigned. */
  get #players(): number[] {
    const { info, resigned } = this.table
    return [...(info?.seats.keys() ?? [])].filter((seat) => !resigned.includes(seat))
  }
}
