/** The list of moves: notices as entries to read. */
import { fillIn } from './format'
import type { Notice } from './protocol'

export interface Entry {
  notice: Notice
  /** A sentence about it; several notices of a group share one. */
  text: string
  /** The number of notices up to and including this entry. */
  after: number
  isUndone: boolean
}

/** The entries for some notices; `many` has the sentence for each group. */
export function entriesOf(notices: Notice[], many: Record<string, string>): Entry[] {
  const undone = undoneNotices(notices)
  const found: Entry[] = []
  for (let index = 0; index < notices.length;) {
    const notice = notices[index]!
    const sentence = many[notice.group]
    const count = sentence ? lengthOfRun(notices, index) : 1
    index += count
    found.push({
      notice,
      text: sentence ? fillIn(sentence, { count }) : notice.sentence,
      after: index,
      isUndone: undone.has(index - 1),
    })
  }
  return found
}

/** How many notices of the same group follow each other from here. */
function lengthOfRun(notices: Notice[], first: number): number {
  const end = notices.findIndex((notice, index) => index > first && notice.group !== notices[first]!.group)
  return (end < 0 ? notices.length : end) - first
}

/** The indices of notices that were undone later. */
export function undoneNotices(notices: Notice[]): Set<number> {
  const undone = new Set<number>()
  notices.forEach((notice, index) => {
    let left = notice.undone
    for (let i = index - 1; left > 0 && i >= 0; i--) {
      if (notices[i]?.seat === notice.seat && !notices[i]?.undone && !undone.has(i)) {
        undone.add(i)
        left--
      }
    }
  })
  return undone
}
