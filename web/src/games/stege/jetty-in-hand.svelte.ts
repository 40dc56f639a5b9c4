/** The jetty in hand: where it hovers, how it is turned, and where it is laid. */
import type { Choices } from './choices.svelte'
import { distance, fieldAt, fieldPoint, type Point } from './geometry'
import { fieldText, jettyAt, middleOf, placeAround, placeFields, placeText, readPlace, type Field } from './model'

export class JettyInHand {
  /** Whether it points down. */
  isDown = $state(false)
  /** The place over which it hovers. */
  preview = $state<string | null>(null)
  /** How often it was tried where it does not fit; each time the preview shakes. */
  misfits = $state(0)
  isDragging = $state(false)
  /** It was dropped before the server had told where it fits. */
  #dropsWhenOffered = $state(false)
  #takenFrom: string | null = null

  constructor(private readonly choices: Choices) {}

  canTurn = $derived.by(() => this.choices.lays.size > 0)
  /** Whether it follows the pointer. */
  isInHand = $derived.by(() => this.choices.next.lays.size > 0)

  /** The place where it lay, if it can be put back as though it had never been taken. */
  origin = $derived.by(() => {
    const { view, draft } = this.choices.props()
    const place = view.taken?.place ?? null
    return draft.at(-1) === `take ${place}` ? place : null
  })

  fits = $derived.by(() => this.preview !== null && this.#fitsAt(this.preview))

  #fitsAt(place: string): boolean {
    return this.choices.lays.has(place) || place === this.origin
  }

  /** Let it hover over the place nearest to a point, preferably where it fits. */
  aim(point: Point): void {
    const { size } = this.choices.props().scene
    const field = fieldAt(point, size)
    const place = placeAround(field, this.isDown, size)
    if (this.#fitsAt(placeText(place))) {
      this.preview = placeText(place)
      return
    }
    const shifted = ({ row, column }: Field, by: number): Field =>
      this.isDown ? { row: row + by, column } : { row, column: column + by }
    const covers = [-1, 0, 1].map((by) => placeAround(shifted(field, by), this.isDown, size))
    const isOver = (other: Field): boolean => other.row === field.row && other.column === field.column
    const fitting = covers.filter((cover) => placeFields(cover).some(isOver) && this.#fitsAt(placeText(cover)))
    const far = (cover: (typeof covers)[number]): number => distance(fieldPoint(middleOf(cover)), point)
    fitting.sort((a, b) => far(a) - far(b))
    this.preview = placeText(fitting[0] ?? place)
  }

  /** Turn it, or the jetty that was laid last. */
  turn(): void {
    if (!this.canTurn) return
    const turned = this.preview ?? (this.isInHand ? null : this.choices.laidLast)
    this.isDown = turned ? !readPlace(turned).isDown : !this.isDown
    if (!turned) return
    this.aim(fieldPoint(middleOf(readPlace(turned))))
    if (this.choices.laidLast === turned && this.fits && !this.isDragging) this.drop()
  }

  /** Lay it where it hovers; if it does not fit there, ask why. */
  drop(): void {
    if (this.preview === null) return
    if (!this.choices.lays.size) {
      this.#dropsWhenOffered = true
      return
    }
    this.#dropsWhenOffered = false
    if (this.preview === this.origin) {
      this.preview = null
      this.choices.takeBack()
    } else if (this.fits) {
      const action = `lay ${this.preview}`
      this.preview = null
      this.choices.choose(action)
    } else {
      this.misfits += 1
      this.choices.ask(`lay ${this.preview}`)
    }
  }

  /** Lay it now if it was dragged faster than the server could offer its places. */
  settle(): void {
    if (this.#dropsWhenOffered && this.choices.lays.size) this.drop()
  }

  /** Take up the jetty at a field, to drag it; returns whether there is one to drag. */
  lift(field: Field): boolean {
    const { choices } = this
    const place = jettyAt(choices.props().view, field)?.place
    if (!place) return false
    const isTakeable = choices.offer.takes.has(place)
    if (!isTakeable && place !== choices.laidLast) return false
    this.isDown = readPlace(place).isDown
    this.preview = place
    if (isTakeable) choices.choose(`take ${place}`)
    return true
  }

  /** Lay it at a point. A mouse shows beforehand where it will be; a finger on the place where it lay means that place. */
  tap(point: Point, isFinger: boolean): void {
    if (isFinger && this.#isOnOrigin(point)) this.preview = this.origin
    else this.aim(point)
    this.drop()
  }

  /** Whether a point is where it lay, while it is held the same way. */
  #isOnOrigin(point: Point): boolean {
    if (this.origin === null) return false
    const place = readPlace(this.origin)
    const text = fieldText(fieldAt(point, this.choices.props().scene.size))
    return place.isDown === this.isDown && placeFields(place).some((field) => fieldText(field) === text)
  }

  clear(): void {
    this.preview = null
    this.isDragging = false
    this.#dropsWhenOffered = false
  }

  /** Keep up with the view: a jetty that is taken up is held the way it lay. */
  follow(): void {
    const taken = this.choices.props().view.taken?.place ?? null
    if (taken !== null && taken !== this.#takenFrom) this.isDown = readPlace(taken).isDown
    this.#takenFrom = taken
    if (!this.choices.lays.size && !this.isDragging && !this.#dropsWhenOffered) this.preview = null
  }
}
