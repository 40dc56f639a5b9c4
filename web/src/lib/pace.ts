/** Shows things one after another, each long enough to be seen. */

const MOST_WAITING = 12

interface Waiting<T> {
  thing: T
  dwell: number
}

export class Pace<T> {
  #queue: Waiting<T>[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #freeAt = 0

  constructor(private readonly show: (thing: T) => void) {}

  /** Show it once those before it have been seen; `dwell` is how many milliseconds it needs itself. */
  add(thing: T, dwell: number): void {
    this.#queue.push({ thing, dwell })
    if (this.#queue.length > MOST_WAITING || document.hidden) this.hurry()
    else this.#next()
  }

  /** Show everything at once. */
  hurry(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#freeAt = 0
    for (const { thing } of this.#queue.splice(0)) this.show(thing)
  }

  /** Forget what has not been shown. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#queue = []
    this.#freeAt = 0
  }

  #next(): void {
    if (this.#timer !== undefined) return
    const [first] = this.#queue
    if (!first) return
    const wait = this.#freeAt - Date.now()
    if (wait > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#next()
      }, wait)
      return
    }
    this.#queue.shift()
    this.#freeAt = Date.now() + first.dwell
    this.show(first.thing)
    this.#next()
  }
}
