/**
 * The browser's storage. It may be forbidden or full, and may hold what an older release wrote: reading then gives null, and
 * writing does nothing.
 */

/** `local` is shared by all tabs and stays; `session` belongs to one tab and goes with it. */
export type Area = 'local' | 'session'

/** Accessing the storage throws an error where the visitor has forbidden it. */
const storageAt = (area: Area): Storage => (area === 'local' ? localStorage : sessionStorage)

/** The stored text; null if there is none. */
export function readText(area: Area, key: string): string | null {
  try {
    return storageAt(area).getItem(key)
  } catch {
    return null
  }
}

/** Store a text; null removes it. */
export function storeText(area: Area, key: string, text: string | null): void {
  try {
    if (text === null) storageAt(area).removeItem(key)
    else storageAt(area).setItem(key, text)
  } catch {
    // Then it is gone when the page is closed.
  }
}

/** The value that was stored as JSON; null if there is none, or if it is not JSON. */
export function readValue(area: Area, key: string): unknown {
  try {
    return JSON.parse(readText(area, key) ?? 'null')
  } catch {
    return null
  }
}

export function storeValue(area: Area, key: string, value: unknown): void {
  storeText(area, key, JSON.stringify(value))
}

/** Whether a value is an object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
