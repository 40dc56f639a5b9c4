/** What a visitor has chosen, as this browser keeps it. */
import type { Language } from '../games/types'

export type Theme = 'light' | 'dark'

export interface Kept {
  language: Language | null
  theme: Theme | null
  sound: boolean
  textMode: boolean
  name: string
}

export const KEY = 'threespan.settings'
const NOTHING: Kept = { language: null, theme: null, sound: false, textMode: false, name: '' }

export function readKept(): Kept {
  try {
    return { ...NOTHING, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>) }
  } catch {
    return { ...NOTHING }
  }
}

/** The language that was chosen, else the first of the browser's that the page speaks. */
export function languageOf(kept: Kept): Language {
  return kept.language ?? (navigator.languages.find((code) => /^(en|de)/i.test(code))?.slice(0, 2) as Language) ?? 'en'
}

export const systemDark = matchMedia('(prefers-color-scheme: dark)')
export const systemTheme = (): Theme => (systemDark.matches ? 'dark' : 'light')
