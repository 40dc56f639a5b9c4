/** The visitor's settings; stored in this browser and shared by all its tabs. */
import {
  SETTINGS_KEY,
  type StoredSettings,
  languageOf,
  type PaceName,
  readSettings,
  systemDark,
  systemTheme,
  type Theme,
} from './stored-settings'
import { storeValue } from './storage'

export class Settings {
  #stored = $state(readSettings())
  #systemTheme = $state<Theme>(systemTheme())

  constructor() {
    systemDark.addEventListener('change', () => (this.#systemTheme = systemTheme()))
    addEventListener('storage', (event) => {
      if (event.key === SETTINGS_KEY) this.#stored = readSettings()
    })
  }

  get language(): string {
    return languageOf(this.#stored)
  }
  set language(language: string) {
    this.#change({ language })
  }

  get theme(): Theme {
    return this.#stored.theme ?? this.#systemTheme
  }
  set theme(theme: Theme) {
    this.#change({ theme })
  }

  get sound(): boolean {
    return this.#stored.sound
  }
  set sound(sound: boolean) {
    this.#change({ sound })
  }

  get textMode(): boolean {
    return this.#stored.textMode
  }
  set textMode(textMode: boolean) {
    this.#change({ textMode })
  }

  get pace(): PaceName {
    return this.#stored.pace
  }
  set pace(pace: PaceName) {
    this.#change({ pace })
  }

  get name(): string {
    return this.#stored.name
  }
  set name(name: string) {
    this.#change({ name })
  }

  #change(change: Partial<StoredSettings>): void {
    this.#stored = { ...this.#stored, ...change }
    storeValue('local', SETTINGS_KEY, this.#stored)
  }
}

export const settings = new Settings()
