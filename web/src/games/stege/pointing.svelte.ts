/** Mouse, pen and fingers on the sea: tapping, dragging a jetty, hovering, and the magnifier for small fields. */
import { FINGERTIP, type Magnified } from '../magnifier.svelte'
import { CELL, fieldAt, type Point } from './geometry'
import type { BoardInput } from './board-input.svelte'

const TOUCH_REACH = 34 // pixels that a finger may be off
const MOUSE_REACH = 0.7 // fields that a mouse may be off
const LIFT = 58 // pixels from the finger up to the jetty that it drags
const DRAG_FROM = 8 // pixels
const HOLD_MS = 200
const MISFIT_MS = 2200

/** How the board lies on the screen. */
export interface Screen {
  /** In pixels, from the top left corner of the window. */
  corner: () => Point
  /** Where the first field begins in both directions, in units of the drawing. */
  firstField: number
  pixelsPerUnit: number
  /** Fields in a row. */
  size: number
  /** Let all further events of a pointer come to the board. */
  capture: (pointer: number) => void
}

interface Press {
  pointer: number
  start: Point
  isTouch: boolean
  hasMoved: boolean
}

export class Pointing {
  loupe = $state.raw<Magnified | null>(null)
  /** The spot or jetty that would be chosen. */
  target = $state<string | null>(null)
  #press: Press | null = null
  #holdTimer = 0

  constructor(
    private readonly input: BoardInput,
    private readonly screen: () => Screen,
    /** A touch has ended on the board. */
    private readonly touched: (point: Point) => void,
  ) {}

  down(event: PointerEvent): void {
    if (!this.input.choices.isActive || !event.isPrimary || event.button !== 0) return
    this.#begin(event, false)
    if (this.#magnifies && !this.input.choices.isLaying) {
      this.#holdTimer = window.setTimeout(() => this.#magnify(event), HOLD_MS)
    }
  }

  /** A jetty is dragged out of the tray. */
  downOnTray(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return
    event.preventDefault()
    this.#begin(event, true)
    this.input.jetty.isDragging = true
  }

  move(event: PointerEvent): void {
    const press = this.#press
    if (!press) {
      if (event.pointerType === 'mouse') this.#hover(event)
      return
    }
    if (event.pointerId !== press.pointer) return
    if (!press.hasMoved && Math.hypot(event.clientX - press.start.x, event.clientY - press.start.y) > DRAG_FROM) {
      press.hasMoved = true
      this.#tryToDrag(press.start)
    }
    if (this.input.jetty.isDragging) this.input.jetty.aim(this.#point(event, press.isTouch ? LIFT : 0))
    else if (this.loupe || (press.hasMoved && this.#magnifies)) this.#magnify(event)
  }

  up(event: PointerEvent): void {
    if (!this.#press || event.pointerId !== this.#press.pointer) return
    const { isTouch, hasMoved } = this.#press
    const isTap = this.loupe !== null || !hasMoved || !isTouch
    this.#end()
    if (this.input.jetty.isDragging) {
      this.input.jetty.isDragging = false
      this.input.jetty.drop()
    } else if (isTap) {
      const point = this.#point(event)
      this.input.tap(point, this.#reach(isTouch), isTouch)
      this.touched(point)
    }
    this.#fadeMisfit()
  }

  cancel(): void {
    this.#end()
    this.input.clear()
  }

  leave(): void {
    if (this.#press) return
    this.target = null
    this.input.stones.preview(null)
    if (this.input.jetty.isInHand) this.input.jetty.preview = null
  }

  /** The spot that a finger means, where the magnifier is. */
  get magnifiedTarget(): string | null {
    return this.loupe && this.input.target(this.loupe.point, this.#reach(true))
  }

  get #magnifies(): boolean {
    return (this.#press?.isTouch ?? false) && CELL * this.screen().pixelsPerUnit < FINGERTIP
  }

  #begin(event: PointerEvent, hasMoved: boolean): void {
    const start = { x: event.clientX, y: event.clientY }
    this.#press = { pointer: event.pointerId, start, isTouch: event.pointerType !== 'mouse', hasMoved }
    this.screen().capture(event.pointerId)
  }

  #end(): void {
    clearTimeout(this.#holdTimer)
    this.#press = null
    this.loupe = null
    this.target = null
  }

  #tryToDrag(start: Point): void {
    clearTimeout(this.#holdTimer)
    this.loupe = null
    const from = fieldAt(this.#onBoard(start), this.screen().size)
    if (this.input.jetty.isInHand || this.input.jetty.lift(from) || this.input.choices.isLaying)
      this.input.jetty.isDragging = true
  }

  #magnify(event: PointerEvent): void {
    const corner = this.screen().corner()
    const finger = { x: event.clientX - corner.x, y: event.clientY - corner.y }
    this.loupe = { point: this.#point(event), finger, spaceAbove: event.clientY }
    this.target = this.magnifiedTarget
  }

  #hover(event: PointerEvent): void {
    const point = this.#point(event)
    if (this.input.jetty.isInHand) {
      this.input.jetty.aim(point)
      return
    }
    this.target = this.input.choices.isActive ? this.input.target(point, MOUSE_REACH) : null
    this.input.stones.preview(this.target)
  }

  /** A jetty that does not fit is shown for a moment, then it is back in the hand or where it lay. */
  #fadeMisfit(): void {
    const { preview } = this.input.jetty
    if (preview === null || this.input.jetty.fits) return
    setTimeout(() => {
      if (this.input.jetty.preview === preview && !this.input.jetty.isDragging && this.input.choices.lays.size)
        this.input.jetty.preview = null
    }, MISFIT_MS)
  }

  #point(event: PointerEvent, lift = 0): Point {
    return this.#onBoard({ x: event.clientX, y: event.clientY - lift })
  }

  #onBoard({ x, y }: Point): Point {
    const { corner, firstField, pixelsPerUnit } = this.screen()
    const { x: left, y: top } = corner()
    return { x: (x - left) / pixelsPerUnit - firstField, y: (y - top) / pixelsPerUnit - firstField }
  }

  #reach(isTouch: boolean): number {
    return isTouch ? TOUCH_REACH / this.screen().pixelsPerUnit / CELL : MOUSE_REACH
  }
}
