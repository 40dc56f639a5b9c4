/** A queue that shows one item after another, each for a while. */

const MAX_WAITING = 40

interface Waiting<T> {
  item: T
  duration: number
}

export class PacedQueue<T> {
  #queue: Waiting<T>[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #nextAt = 0

  constructor(private readonly show: (item: T) => void) {
    document.addEventListener('visibilitychange', this.#flushWhenHidden)
  }

  /** Show an item once those before it have been shown long enough; `duration` is how many milliseconds it stays itself. */
  add(item: T, duration: number): void {
    this.#queue.push({ item, duration })
    if (this.#queue.length > MAX_WAITING || document.hidden) this.flush()
    else this.#next()
  }

  /** Show everything at once. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#nextAt = 0
    for (const { item } of this.#queue.splice(0)) this.show(item)
  }

  /** Drop the items that have not been shown. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#queue = []
    this.#nextAt = 0
  }

  close(): void {
    this.clear()
    document.removeEventListener('visibilitychange', this.#flushWhenHidden)
  }

  /** In a hidden tab nothing should pile up until the visitor comes back. */
  readonly #flushWhenHidden = (): void => {
    if (document.hidden) this.flush()
  }

  #next(): void {
    if (this.#timer !== undefined) return
    const [first] = this.#queue
    if (!first) return
    const wait = this.#nextAt - Date.now()
    if (wait > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#next()
      }, wait)
      return
    }
    this.#queue.shift()
    this.#nextAt = Date.now() + first.duration
    this.show(first.item)
    this.#next()
  }
}
