/** Mouse, pen and fingers on the sea: tapping, dragging a jetty, hovering, and the magnifier for small fields. */
import { CELL, fieldAt, type Point } from './geometry'
import type { Play } from './play.svelte'

const TOUCH_REACH = 34 // pixels that a finger may be off
const MOUSE_REACH = 0.7 // fields that a mouse may be off
const FINGERTIP = 40 // pixels: smaller fields get a magnifier
const LIFT = 58 // pixels from the finger up to the jetty that it drags
const DRAG_FROM = 8 // pixels
const HOLD_MS = 200
const MISFIT_MS = 2200

/** How the board lies on the screen. */
export interface Screen {
  /** In pixels, from the top left corner of the window. */
  corner: () => Point
  /** Width of the margin around the fields, in units of the drawing. */
  margin: number
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

/** What the magnifier shows: a point of the board; where the finger is on the board, in pixels; the room above it. */
export interface Magnified {
  point: Point
  finger: Point
  room: number
}

export class Pointing {
  loupe = $state.raw<Magnified | null>(null)
  /** The spot or jetty that would be chosen. */
  aimed = $state<string | null>(null)
  #press: Press | null = null
  #holdTimer = 0

  constructor(
    private readonly play: Play,
    private readonly screen: () => Screen,
    /** A touch has ended on the board. */
    private readonly touched: (point: Point) => void,
  ) {}

  down(event: PointerEvent): void {
    if (!this.play.isActive || !event.isPrimary || event.button !== 0) return
    this.#begin(event, false)
    if (this.#magnifies && !this.play.isLaying) {
      this.#holdTimer = window.setTimeout(() => this.#magnify(event), HOLD_MS)
    }
  }

  /** A jetty is dragged out of the tray. */
  downOnTray(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return
    event.preventDefault()
    this.#begin(event, true)
    this.play.isDragging = true
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
    if (this.play.isDragging) this.play.aim(this.#point(event, press.isTouch ? LIFT : 0))
    else if (this.loupe || (press.hasMoved && this.#magnifies)) this.#magnify(event)
  }

  up(event: PointerEvent): void {
    if (!this.#press || event.pointerId !== this.#press.pointer) return
    const { isTouch, hasMoved } = this.#press
    const isTap = this.loupe !== null || !hasMoved || !isTouch
    this.#end()
    if (this.play.isDragging) {
      this.play.isDragging = false
      this.play.drop()
    } else if (isTap) {
      const point = this.#point(event)
      this.play.tap(point, this.#reach(isTouch))
      this.touched(point)
    }
    this.#fadeMisfit()
  }

  cancel(): void {
    this.#end()
    this.play.clear()
  }

  leave(): void {
    if (this.#press) return
    this.aimed = null
    this.play.preview(null)
    if (this.play.hasJettyInHand) this.play.ghost = null
  }

  /** The spot that a finger means, where the magnifier is. */
  get magnifiedTarget(): string | null {
    return this.loupe && this.play.target(this.loupe.point, this.#reach(true))
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
    this.aimed = null
  }

  #tryToDrag(start: Point): void {
    clearTimeout(this.#holdTimer)
    this.loupe = null
    const from = fieldAt(this.#onBoard(start), this.screen().size)
    if (this.play.hasJettyInHand || this.play.lift(from) || this.play.isLaying) this.play.isDragging = true
  }

  #magnify(event: PointerEvent): void {
    const corner = this.screen().corner()
    const finger = { x: event.clientX - corner.x, y: event.clientY - corner.y }
    this.loupe = { point: this.#point(event), finger, room: event.clientY }
    this.aimed = this.magnifiedTarget
  }

  #hover(event: PointerEvent): void {
    const point = this.#point(event)
    if (this.play.hasJettyInHand) {
      this.play.aim(point)
      return
    }
    this.aimed = this.play.isActive ? this.play.target(point, MOUSE_REACH) : null
    this.play.preview(this.aimed)
  }

  /** A jetty that does not fit is shown for a moment, then it is back in the hand or where it lay. */
  #fadeMisfit(): void {
    const { ghost } = this.play
    if (ghost === null || this.play.ghostFits) return
    setTimeout(() => {
      if (this.play.ghost === ghost && !this.play.isDragging && this.play.lays.size) this.play.ghost = null
    }, MISFIT_MS)
  }

  #point(event: PointerEvent, lift = 0): Point {
    return this.#onBoard({ x: event.clientX, y: event.clientY - lift })
  }

  #onBoard({ x, y }: Point): Point {
    const { corner, margin, pixelsPerUnit } = this.screen()
    const { x: left, y: top } = corner()
    return { x: (x - left) / pixelsPerUnit - margin, y: (y - top) / pixelsPerUnit - margin }
  }

  #reach(isTouch: boolean): number {
    return isTouch ? TOUCH_REACH / this.screen().pixelsPerUnit / CELL : MOUSE_REACH
  }
}
