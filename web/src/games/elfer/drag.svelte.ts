/** Dragging a tile with mouse, pen or finger. A press that hardly moves stays a tap. */
import type { Point } from './geometry'

const MIN_DRAG = 7
/** A finger hides what is under it, so its tile floats above. */
const LIFT = 34

export class Drag {
  tile = $state<string | null>(null)
  key = $state<string | null>(null)
  at = $state<Point>({ x: 0, y: 0 })
  isMoving = $state(false)

  #from: Point = { x: 0, y: 0 }
  #lift = 0
  #justDropped = false
  readonly #drop: (tile: string, at: Point) => void

  constructor(drop: (tile: string, at: Point) => void) {
    this.#drop = drop
  }

  readonly down = (event: PointerEvent, tile: string, key: string): void => {
    this.#justDropped = false
    if (event.button !== 0 || !event.isPrimary) return
    this.#from = { x: event.clientX, y: event.clientY }
    this.#lift = event.pointerType === 'touch' ? LIFT : 0
    this.tile = tile
    this.key = key
  }

  readonly move = (event: PointerEvent): void => {
    if (this.tile === null) return
    const way = Math.hypot(event.clientX - this.#from.x, event.clientY - this.#from.y)
    if (!this.isMoving && way < MIN_DRAG) return
    if (!this.isMoving) (event.currentTarget as Element).setPointerCapture(event.pointerId)
    this.isMoving = true
    this.at = { x: event.clientX, y: event.clientY - this.#lift }
  }

  readonly up = (): void => {
    const { tile, isMoving, at } = this
    this.cancel()
    this.#justDropped = isMoving
    if (tile !== null && isMoving) this.#drop(tile, at)
  }

  readonly cancel = (): void => {
    this.tile = this.key = null
    this.isMoving = false
  }

  /** Whether a click is only the end of a drag. */
  isEndOfDrag(): boolean {
    const echo = this.#justDropped
    this.#justDropped = false
    return echo
  }
}
