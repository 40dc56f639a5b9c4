/** A magnifier for drawings with targets smaller than a fingertip: shown while a finger rests on the drawing. */

/** In pixels; smaller targets get a magnifier. */
export const FINGERTIP = 44
const HOLD_MS = 200

export interface Point {
  x: number
  y: number
}

export interface Magnified {
  /** The point of the drawing in the middle. */
  point: Point
  /** The finger, in pixels from the drawing's corner. */
  finger: Point
  /** Pixels of the screen above the finger. */
  spaceAbove: number
}

export class Magnifier {
  shown = $state.raw<Magnified | null>(null)
  #timer = 0
  #pointer: number | null = null

  constructor(
    private readonly svg: () => SVGSVGElement | undefined,
    /** The size of the smallest target at present, in units of the drawing. */
    private readonly smallestTarget: () => number,
  ) {}

  /** Pixels of the screen per unit of the drawing. */
  get scale(): number {
    return this.svg()?.getScreenCTM()?.a ?? 1
  }

  down(event: PointerEvent): void {
    if (event.pointerType === 'mouse' || !event.isPrimary || this.smallestTarget() * this.scale >= FINGERTIP) return
    this.#pointer = event.pointerId
    this.#timer = window.setTimeout(() => this.#show(event), HOLD_MS)
  }

  /** Follow the finger; `isDrawing` shows the magnifier at once. */
  move(event: PointerEvent, isDrawing = false): void {
    if (event.pointerId === this.#pointer && (this.shown || isDrawing)) this.#show(event)
  }

  /** The finger was lifted; returns where, if the magnifier was shown. */
  up(): Point | null {
    const point = this.shown?.point ?? null
    this.cancel()
    return point
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#pointer = null
    this.shown = null
  }

  #show(event: PointerEvent): void {
    const svg = this.svg()
    const matrix = svg?.getScreenCTM()
    if (!svg || !matrix) return
    svg.setPointerCapture(event.pointerId)
    const corner = svg.getBoundingClientRect()
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    this.shown = {
      point: { x, y },
      finger: { x: event.clientX - corner.x, y: event.clientY - corner.y },
      spaceAbove: event.clientY,
    }
  }
}
