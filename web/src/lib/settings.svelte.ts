/** What a visitor has chosen; kept in this browser, and the same in all its tabs. */
import type { Language } from '../games/types'

export type Theme = 'light' | 'dark'

interface Kept {
  language: Language | null
  theme: Theme | null
  sound: boolean
  textMode: boolean
  name: string
}

const KEY = 'threespan.settings'
const NOTHING: Kept = { language: null, theme: null, sound: false, textMode: false, name: '' }
const dark = matchMedia('(prefers-color-scheme: dark)')

function read(): Kept {
  try {
    return { ...NOTHING, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>) }
  } catch {
    return { ...NOTHING }
  }
}

class Settings {
  #kept = $state(read())
  #systemTheme = $state<Theme>(dark.matches ? 'dark' : 'light')

  constructor() {
    dark.addEventListener('change', () => (this.#systemTheme = dark.matches ? 'dark' : 'light'))
    addEventListener('storage', (event) => {
      if (event.key === KEY) this.#kept = read()
    })
  }

  get language(): Language {
    return this.#kept.language ?? (navigator.languages.find((code) => /^(en|de)/i.test(code))?.slice(0, 2) as Language) ?? 'en'
  }
  set language(language: Language) {
    this.#keep({ language })
  }

  get theme(): Theme {
    return this.#kept.theme ?? this.#systemTheme
  }
  set theme(theme: Theme) {
    this.#keep({ theme })
  }

  get sound(): boolean {
    return this.#kept.sound
  }
  set sound(sound: boolean) {
    this.#keep({ sound })
  }

  get textMode(): boolean {
    return this.#kept.textMode
  }
  set textMode(textMode: boolean) {
    this.#keep({ textMode })
  }

  get name(): string {
    return this.#kept.name
  }
  set name(name: string) {
    this.#keep({ name })
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change }
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept))
    } catch {
      // A browser that keeps nothing forgets the choice with the tab.
    }
  }
}

export const settings = new Settings()
