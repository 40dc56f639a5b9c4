/** The names of the people at a table. */
import { t } from './i18n.svelte'
import type { SeatInfo } from './protocol'

/** The name for a seat; without one it is "You" or "Guest 2". */
export function nameOf(seat: SeatInfo, index: number, isYou = false): string {
  return seat.name || (isYou ? t('you') : t('guest', { number: index + 1 }))
}
