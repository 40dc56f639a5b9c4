/** Drafts survive reloading the page, unless something has happened since. */
import { isRecord, storeText, storeValue, readValue } from './storage'

const storageKey = (table: string, seat: number): string => `threespan.draft.${table}.${seat}`

interface Draft {
  /** How many notices there were. */
  noticesSeen: number
  actions: string[]
}

export function storeDraft(table: string, seat: number, draft: Draft): void {
  if (draft.actions.length) storeValue('session', storageKey(table, seat), draft)
  else storeText('session', storageKey(table, seat), null)
}

/** The actions that were drafted, if there were as many notices then. */
export function storedActions(table: string, seat: number, noticesSeen: number): string[] {
  const stored = readValue('session', storageKey(table, seat))
  return isRecord(stored) && stored.noticesSeen === noticesSeen && Array.isArray(stored.actions)
    ? (stored.actions as string[])
    : []
}
