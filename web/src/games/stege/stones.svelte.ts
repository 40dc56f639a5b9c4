/** Choosing a stone and the end of its walk. */
import type { Choices } from './choices.svelte'
import { CELL, distance, fieldAt, type Point, spotPoint } from './geometry'
import { fieldText, islandAt, jettyAt, stoneAt, type Field } from './model'

/** How far, in fields, a touch on a jetty may be off: less than the middle of the next field. */
const NEXT_FIELD = 0.85

export class Stones {
  /** The chosen stone. */
  chosen = $state<string | null>(null)
  /** The action whose walk is shown, and its path. */
  walk = $state<{ action: string; path: string[] } | null>(null)

  constructor(private readonly choices: Choices) {}

  /** Where the chosen stone can end, with the actions. */
  ends = $derived.by(
    () => (this.chosen ? this.choices.offer.moves.get(this.chosen) : undefined) ?? new Map<string, string>(),
  )

  /** Choose a stone by its name; where a jetty could be taken first, leave them all. */
  choose(stone: string): void {
    this.choices.count += 1
    if (this.choices.next.canKeep) this.choices.choose('keep')
    this.chosen = stone
  }

  /** Move the chosen stone to an end near a point, choose the stone there, or ask why neither is possible. */
  tap(point: Point, reach: number): void {
    const field = fieldAt(point, this.choices.props().scene.size)
    const ends = [...this.ends.keys()]
    const end = this.#spotAt(field, ends)
    const stone = this.ownStoneAt(field)
    const near = end || stone ? null : this.#nearest(point, reach, [...ends, ...this.movableSpots()])
    if (end ?? (near && ends.includes(near))) this.#move(this.ends.get(end ?? near ?? '') ?? '')
    else if (stone ?? near) this.choose(stone ?? this.#stoneFrom(near ?? '') ?? '')
    else this.#askForMove(field)
  }

  /** The end or stone that a touch at a point would mean, to mark it beforehand. */
  target(point: Point, reach: number): string | null {
    const field = fieldAt(point, this.choices.props().scene.size)
    const spots = [...this.ends.keys(), ...this.movableSpots()]
    return this.#spotAt(field, spots) ?? this.#nearest(point, reach, spots)
  }

  /** Show the walk of the move that would end at a spot. */
  preview(spot: string | null): void {
    const { legal, draft } = this.choices.props()
    const action = spot === null ? undefined : this.ends.get(spot)
    if (this.choices.isMoveDrafted || action === this.walk?.action) return
    if (action && legal.includes(action)) this.#showWalk(action, draft)
    else this.walk = null
  }

  /** The player's stone on a field; of those waiting on the island one that can move. */
  ownStoneAt(field: Field): string | null {
    const { scene, view, seat } = this.choices.props()
    if (islandAt(scene, field) === scene.seats[seat]?.start) return this.#stoneFrom('island')
    if (this.choices.isMoveDrafted) return scene.stones[this.choices.spots.indexOf(fieldText(field))] ?? null
    const found = stoneAt(view, field)
    return found?.seat === seat ? (scene.stones[found.index] ?? null) : null
  }

  /** Where the stones are that can move. */
  movableSpots(): string[] {
    return this.choices.props().scene.stones.flatMap((stone, index) => {
      const spot = this.choices.spots[index]
      return spot && this.choices.offer.moves.has(stone) ? [spot] : []
    })
  }

  clear(): void {
    if (this.choices.isMoveDrafted) return
    this.chosen = null
    this.walk = null
  }

  /** Keep up with what the server offers: forget a choice that is over, make one that is the only one. */
  follow(): void {
    const { draft } = this.choices.props()
    const { moves } = this.choices.offer
    const isKept = this.choices.next.canKeep || draft.at(-1) === 'keep'
    if (!moves.size && !isKept) this.chosen = null
    const [only] = moves.keys()
    if (only && moves.size === 1) this.chosen = only
    const drafted = draft.at(-1) ?? ''
    if (drafted.startsWith('move ')) {
      if (this.walk?.action !== drafted) this.#showWalk(drafted, draft.slice(0, -1))
    } else if (!moves.size) this.walk = null
  }

  #move(action: string): void {
    this.choices.choose(action, (after) => {
      if (action !== this.walk?.action) this.#showWalk(action, after)
    })
  }

  #askForMove(field: Field): void {
    const { scene, seat } = this.choices.props()
    const isTarget = islandAt(scene, field) === scene.seats[seat]?.target
    const stone = this.chosen ?? (isTarget ? this.#stoneFrom('home') : null)
    if (!stone) return
    const from = this.choices.spots[scene.stones.indexOf(stone)] ?? 'island'
    this.choices.ask(`move ${stone} ${from}>${isTarget ? 'home' : fieldText(field)}`)
  }

  /** A stone at a spot, preferably one that can move. */
  #stoneFrom(spot: string): string | null {
    const there = this.choices.props().scene.stones.filter((_, index) => this.choices.spots[index] === spot)
    return there.find((stone) => this.choices.offer.moves.has(stone)) ?? there[0] ?? null
  }

  #spotAt(field: Field, spots: string[]): string | null {
    const { scene, seat } = this.choices.props()
    const island = islandAt(scene, field)
    const { start, target } = scene.seats[seat] ?? {}
    const text = island === null ? fieldText(field) : island === target ? 'home' : island === start ? 'island' : null
    return text !== null && spots.includes(text) ? text : null
  }

  /** The spot that was probably meant; whoever hits the middle of another field of a jetty means that one. */
  #nearest(point: Point, reach: number, spots: string[]): string | null {
    const { scene, view, seat } = this.choices.props()
    const isOnJetty = jettyAt(view, fieldAt(point, scene.size)) !== null
    const most = CELL * (isOnJetty ? Math.min(reach, NEXT_FIELD) : reach)
    const far = spots.map((spot) => ({ spot, far: distance(spotPoint(scene, seat, 0, spot), point) }))
    far.sort((a, b) => a.far - b.far)
    const [best] = far
    return best && best.far <= most ? best.spot : null
  }

  #showWalk(action: string, after: string[]): void {
    this.walk = { action, path: [] }
    void this.choices
      .props()
      .path(action, after)
      .then((path) => {
        if (this.walk?.action === action) this.walk = { action, path }
      })
      .catch(() => undefined)
  }
}
