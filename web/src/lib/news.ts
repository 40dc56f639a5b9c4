/** What others have done since a seat acted last. */
import type { Notice } from './protocol'
import { CHANCE, WATCHER } from './seats'
import { undoneNotices } from './move-list'

/** What one player has done, and what chance has done for that player. */
export interface Report {
  seat: number
  notices: Notice[]
}

/** So many actions of chance in a row are a deal, which is not reported. */
const DEAL_LENGTH = 4

/** What has happened since a seat acted last; for spectators, the last turn of everybody. */
export function newsFor(notices: Notice[], seat: number): Notice[] {
  const undone = undoneNotices(notices)
  const standing = notices.filter((notice, index) => !notice.undone && !undone.has(index))
  if (seat === WATCHER) return lastTurns(standing)
  return standing.slice(standing.findLastIndex((notice) => notice.seat === seat) + 1)
}

/** The last turn of each seat: it goes back until a seat acts for the second time. */
function lastTurns(notices: Notice[]): Notice[] {
  const seen = new Set<number>()
  let actor = CHANCE
  const end = notices.findLastIndex(({ seat }) => {
    if (seat === CHANCE || seat === actor) return false
    if (seen.has(seat)) return true
    seen.add((actor = seat))
    return false
  })
  return notices.slice(end + 1)
}

/** The news grouped by seat, in order. What chance does belongs to whoever acts next. */
export function reportsOf(news: Notice[], seat: number, acting: number[]): Report[] {
  const reports = new Map<number, Notice[]>()
  let chance: Notice[] = []
  const report = (owner: number, notices: Notice[]): void => {
    if (owner !== seat && notices.length) reports.set(owner, [...(reports.get(owner) ?? []), ...notices])
  }
  for (const notice of news) {
    if (notice.seat === CHANCE) chance.push(notice)
    else {
      report(notice.seat, [...(chance.length < DEAL_LENGTH ? chance : []), notice])
      chance = []
    }
  }
  const [next, ...more] = acting
  if (next !== undefined && !more.length && chance.length < DEAL_LENGTH) report(next, chance)
  return [...reports].map(([owner, notices]) => ({ seat: owner, notices }))
}
