/** What a visitor has chosen; kept in this browser, and the same in all its tabs. */
import type { Language } from '../games/types'
import { KEY, type Kept, languageOf, readKept, systemDark, systemTheme, type Theme } from './kept'

class Settings {
  #kept = $state(readKept())
  #systemTheme = $state<Theme>(systemTheme())

  constructor() {
    systemDark.addEventListener('change', () => (this.#systemTheme = systemTheme()))
    addEventListener('storage', (event) => {
      if (event.key === KEY) this.#kept = readKept()
    })
  }

  get language(): Language {
    return languageOf(this.#kept)
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
