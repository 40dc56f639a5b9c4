/** The visitor's settings as they are stored in this browser. */
import { LANGUAGES } from 'virtual:languages'
import { isRecord, readValue } from './storage'

export type Theme = 'light' | 'dark'

/** How long the turns of others are shown. */
export const PACES = ['slow', 'normal', 'fast', 'off'] as const
export type PaceName = (typeof PACES)[number]

export interface StoredSettings {
  language: string | null
  theme: Theme | null
  sound: boolean
  textMode: boolean
  pace: PaceName
  name: string
}

const DEFAULT_LANGUAGE = 'en'

export const SETTINGS_KEY = 'threespan.settings'
const DEFAULTS: StoredSettings = {
  language: null,
  theme: null,
  sound: false,
  textMode: false,
  pace: 'normal',
  name: '',
}

export function readSettings(): StoredSettings {
  const stored = readValue('local', SETTINGS_KEY)
  return isRecord(stored) ? { ...DEFAULTS, ...validSettings(stored) } : { ...DEFAULTS }
}

/** The stored values that are valid; others may come from an older release. */
function validSettings(stored: Record<string, unknown>): Partial<StoredSettings> {
  const { language, theme, sound, textMode, pace, name } = stored
  return {
    ...(typeof language === 'string' && { language }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...(typeof sound === 'boolean' && { sound }),
    ...(typeof textMode === 'boolean' && { textMode }),
    ...(isPace(pace) && { pace }),
    ...(typeof name === 'string' && { name }),
  }
}

const isPace = (value: unknown): value is PaceName => PACES.some((pace) => pace === value)

/** The language that was chosen, else the first of the browser's languages that the page has. */
export function languageOf(stored: StoredSettings): string {
  const codes = [stored.language ?? '', ...navigator.languages].map((code) => code.toLowerCase().split('-')[0] ?? '')
  return codes.find((code) => code in LANGUAGES) ?? DEFAULT_LANGUAGE
}

export const systemDark = matchMedia('(prefers-color-scheme: dark)')
export const systemTheme = (): Theme => (systemDark.matches ? 'dark' : 'light')
