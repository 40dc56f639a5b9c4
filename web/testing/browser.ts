/**
 * As much of a browser as modules without a drawing need: addresses, storage, events. A whole document would take a hundred
 * times as long as the tests; what is drawn is tested in a real browser (`tests/web`).
 */
import { beforeEach } from 'vitest'

class FakeStorage implements Storage {
  readonly #items = new Map<string, string>()

  get length(): number {
    return this.#items.size
  }
  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value)
  }
  removeItem(key: string): void {
    this.#items.delete(key)
  }
  clear(): void {
    this.#items.clear()
  }
}

class FakeDocument extends EventTarget {
  hidden = false
  readonly documentElement = { dataset: {}, lang: '' }
  querySelector(): null {
    return null
  }
}

class FakeElement extends EventTarget {
  closest(_selector: string): FakeElement | null {
    return null
  }
}

const ORIGIN = 'http://localhost:8000'
let address = new URL(ORIGIN)

/** Go somewhere, as though the visitor had typed it. */
export function visit(path: string): void {
  address = new URL(path, ORIGIN)
}

/** The visitor has forbidden to keep anything: even asking for the storage fails, for the rest of the test. */
export function forbidStorage(): void {
  const get = (): never => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { get, configurable: true })
}

const history = {
  length: 1,
  pushState(_state: unknown, _title: string, path: string): void {
    history.length++
    visit(path)
  },
  replaceState(_state: unknown, _title: string, path: string): void {
    visit(path)
  },
}

const window = new EventTarget()

const GLOBALS = {
  window,
  document: new FakeDocument(),
  Element: FakeElement,
  history,
  localStorage: new FakeStorage(),
  sessionStorage: new FakeStorage(),
  navigator: { onLine: true, languages: ['en'] },
  matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
  scrollTo: () => undefined,
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
  dispatchEvent: window.dispatchEvent.bind(window),
}

function install(): void {
  for (const [name, value] of Object.entries(GLOBALS)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}

install()
Object.defineProperty(globalThis, 'location', { get: () => address, configurable: true })

beforeEach(() => {
  install()
  localStorage.clear()
  sessionStorage.clear()
  document.documentElement.lang = ''
  visit('/')
})
