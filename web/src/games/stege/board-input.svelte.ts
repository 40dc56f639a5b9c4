/** What the player is about to do: with the jetty in hand, with jetties in the water, and with stones. */
import { Choices, type StegeProps } from './choices.svelte'
import { fieldAt, type Point, spotPoint } from './geometry'
import { JettyInHand } from './jetty-in-hand.svelte'
import { jettyAt, middleOf, readPlace, type Field } from './model'
import { Stones } from './stones.svelte'

export class BoardInput {
  readonly choices: Choices
  readonly jetty: JettyInHand
  readonly stones: Stones

  constructor(private readonly props: () => StegeProps) {
    this.choices = new Choices(props)
    this.jetty = new JettyInHand(this.choices)
    this.stones = new Stones(this.choices)
  }

  /**
   * Do what a touch of the board at a point means; `reach` is how far off it may be, in fields.
   * Returns whether there was anything to do.
   */
  tap(point: Point, reach: number, isFinger = false): boolean {
    const { count, offer } = this.choices
    if (this.choices.isLaying) this.jetty.tap(point, isFinger)
    else if (offer.moves.size) this.stones.tap(point, reach)
    else if (offer.takes.size || offer.canKeep) this.#tapJetties(point)
    return this.choices.count > count
  }

  /** Take up a jetty from the water, or leave them all and choose a stone. */
  #tapJetties(point: Point): void {
    const { scene, view } = this.props()
    const field = fieldAt(point, scene.size)
    const stone = this.stones.ownStoneAt(field)
    if (stone) {
      this.stones.choose(stone)
      return
    }
    const place = jettyAt(view, field)?.place
    if (!place) return
    if (this.choices.offer.takes.has(place)) this.choices.choose(`take ${place}`)
    else this.choices.ask(`take ${place}`)
  }

  /** The jetty, end or stone that a touch at a point would mean, to mark it beforehand. */
  target(point: Point, reach: number): string | null {
    const { takes } = this.choices.offer
    if (!takes.size) return this.stones.target(point, reach)
    const { scene, view } = this.props()
    const place = jettyAt(view, fieldAt(point, scene.size))?.place
    return place && takes.has(place) ? place : null
  }

  /** Every field where something can be chosen now, to go through them one by one. */
  fieldsToChoose(): Field[] {
    const { scene, seat } = this.props()
    const { takes } = this.choices.offer
    if (this.choices.isLaying) {
      const places = [...this.choices.lays].map(readPlace)
      return places.filter(({ isDown }) => isDown === this.jetty.isDown).map(middleOf)
    }
    if (takes.size) return [...takes].map(readPlace).map(middleOf)
    const { ends } = this.stones
    const spots = ends.size ? [...ends.keys()] : this.stones.movableSpots()
    return spots.map((spot) => fieldAt(spotPoint(scene, seat, 0, spot), scene.size))
  }

  /** Forget what was hovering or chosen. */
  clear(): void {
    this.jetty.clear()
    this.stones.clear()
  }

  /** Keep up with what the server offers. */
  follow(): void {
    this.jetty.settle()
    this.choices.follow()
    this.stones.follow()
    this.jetty.follow()
  }
}
