/** What the player is about to do: where the jetty in hand hovers, which stone is chosen, which walk is shown. */
import type { BoardProps } from '../types'
import { CELL, distance, fieldAt, fieldPoint, spotPoint, type Point } from './geometry'
import {
  fieldText,
  islandAt,
  jettyAt,
  middleOf,
  placeAround,
  placeFields,
  placeText,
  readOffer,
  readPlace,
  stoneAt,
  type Field,
  type Offer,
  type Scene,
  type View,
} from './model'

/** How far, in fields, a touch on a jetty may be off: less than the middle of the next field. */
const NEXT_FIELD = 0.85

export type StegeProps = BoardProps<Scene, View>

/** A step drafted here, with what could have been chosen instead. */
interface Drafted {
  step: string
  /** The steps before it. */
  after: string[]
  offer: Offer
  /** Where the player's stones stood. */
  spots: string[]
}

export class Play {
  /** Whether the jetty in hand points down. */
  isDown = $state(false)
  /** The place over which it hovers. */
  ghost = $state<string | null>(null)
  /** How often a misfit was tried; each time the ghost shakes. */
  misfits = $state(0)
  isDragging = $state(false)
  /** The chosen stone. */
  chosen = $state<string | null>(null)
  /** The action whose walk is shown, and its spots. */
  walk = $state<{ action: string; spots: string[] } | null>(null)
  #last = $state<Drafted | null>(null)
  #dropsWhenOffered = $state(false)
  #doings = 0
  #taken: string | null = null
  readonly #props: () => StegeProps

  constructor(props: () => StegeProps) {
    this.#props = props
  }

  #offered = $derived.by(() => readOffer(this.#props().legal))

  /** The drafted step that another choice would replace; what was forced to follow it does not matter. */
  #replaceable = $derived.by(() => {
    const { draft } = this.#props()
    const last = this.#last
    if (!last) return null
    const [step, ...forced] = draft.slice(last.after.length)
    return step === last.step && forced.every((text) => text === 'pass') ? last : null
  })

  #isOfferedHere = $derived(this.#offered.lays.size + this.#offered.takes.size + this.#offered.moves.size > 0)
  /** Whether the board offers a next step. */
  #isNext = $derived(this.#isOfferedHere || this.#offered.canKeep)

  /** What can be chosen on the board: the next step, or else another one in place of the last. */
  offer = $derived((this.#isNext ? null : this.#replaceable?.offer) ?? this.#offered)

  /** The places where a jetty fits: the one to lay next, or else the one laid last. */
  lays = $derived.by(() => {
    if (this.#offered.lays.size) return this.#offered.lays
    return this.#replaceable?.offer.lays ?? this.#offered.lays
  })

  /** Whether a touch of the water lays a jetty. */
  isLaying = $derived(this.offer.lays.size > 0)

  /** The jetty that was laid last and can still be moved. */
  held = $derived.by(() => {
    const step = this.#replaceable?.step ?? ''
    return step.startsWith('lay ') ? step.slice('lay '.length) : null
  })

  canTurn = $derived(this.lays.size > 0)
  /** Whether a jetty is in hand, so that it follows the pointer. */
  hasJettyInHand = $derived(this.#offered.lays.size > 0)
  isActive = $derived(this.#isNext || this.#replaceable !== null)

  /** Where the player's stones stand for the choice at hand. */
  spots = $derived.by(() => {
    const { view, seat } = this.#props()
    const isReplacing = !this.#isOfferedHere && this.#replaceable !== null
    return (isReplacing ? this.#replaceable?.spots : view.stones[seat]) ?? []
  })

  /** Where the chosen stone can end, with the actions. */
  ends = $derived((this.chosen ? this.offer.moves.get(this.chosen) : undefined) ?? new Map<string, string>())

  /** The stone that a drafted move has moved. */
  isMoveDrafted = $derived(this.#replaceable?.step.startsWith('move ') ?? false)

  ghostFits = $derived(this.ghost !== null && this.lays.has(this.ghost))

  /** Let the jetty in hand hover over the place nearest to a point, preferably where it fits. */
  aim(point: Point): void {
    const { size } = this.#props().scene
    const field = fieldAt(point, size)
    const place = placeAround(field, this.isDown, size)
    if (this.lays.has(placeText(place))) {
      this.ghost = placeText(place)
      return
    }
    const shifted = ({ row, column }: Field, by: number): Field =>
      this.isDown ? { row: row + by, column } : { row, column: column + by }
    const covers = [-1, 0, 1].map((by) => placeAround(shifted(field, by), this.isDown, size))
    const isOver = (other: Field): boolean => other.row === field.row && other.column === field.column
    const fitting = covers.filter((cover) => placeFields(cover).some(isOver) && this.lays.has(placeText(cover)))
    const far = (cover: (typeof covers)[number]): number => distance(fieldPoint(middleOf(cover)), point)
    fitting.sort((a, b) => far(a) - far(b))
    this.ghost = placeText(fitting[0] ?? place)
  }

  /** Turn the jetty in hand, or the one laid last. */
  turn(): void {
    if (!this.canTurn) return
    const turned = this.ghost ?? (this.#offered.lays.size ? null : this.held)
    this.isDown = turned ? !readPlace(turned).isDown : !this.isDown
    if (!turned) return
    this.aim(fieldPoint(middleOf(readPlace(turned))))
    if (this.held === turned && this.ghostFits && !this.isDragging) this.drop()
  }

  /** Lay the jetty where it hovers; if it does not fit there, ask why. */
  drop(): void {
    if (this.ghost === null) return
    if (!this.lays.size) {
      this.#dropsWhenOffered = true
      return
    }
    this.#dropsWhenOffered = false
    if (this.ghostFits) {
      const action = `lay ${this.ghost}`
      this.ghost = null
      this.#choose(action)
    } else {
      this.misfits += 1
      this.#ask(`lay ${this.ghost}`)
    }
  }

  /** A jetty that was dragged faster than the server could offer its places is laid once they are known. */
  settle(): void {
    if (this.#dropsWhenOffered && this.lays.size) this.drop()
  }

  /** Take the jetty at a field up, to drag it; tells whether there is one to drag. */
  lift(field: Field): boolean {
    const { view } = this.#props()
    const place = jettyAt(view, field)?.place
    if (!place) return false
    const isTakeable = this.offer.takes.has(place)
    if (!isTakeable && place !== this.held) return false
    this.isDown = readPlace(place).isDown
    this.ghost = place
    if (isTakeable) this.#choose(`take ${place}`)
    return true
  }

  /**
   * Do what a touch of the board at a point means; `reach` is how far off it may be, in fields.
   * Tells whether there was anything to do: nothing is done twice.
   */
  tap(point: Point, reach: number): boolean {
    const count = this.#doings
    this.#tap(point, reach)
    return this.#doings > count
  }

  #tap(point: Point, reach: number): void {
    if (this.isLaying) {
      this.aim(point)
      this.drop()
    } else if (this.offer.moves.size) this.#tapStones(point, reach)
    else if (this.offer.takes.size || this.offer.canKeep) this.#tapJetties(point)
  }

  /** Choose a stone by its name; where a jetty could be taken first, leave them all. */
  chooseStone(stone: string): void {
    this.#doings += 1
    if (this.#offered.canKeep) this.#choose('keep')
    this.chosen = stone
  }

  /** The spot that a touch at a point would mean, to mark it beforehand. */
  target(point: Point, reach: number): string | null {
    const { scene, view } = this.#props()
    const field = fieldAt(point, scene.size)
    if (this.offer.takes.size) {
      const place = jettyAt(view, field)?.place
      return place && this.offer.takes.has(place) ? place : null
    }
    const spots = [...this.ends.keys(), ...this.#stoneSpots()]
    return this.#spotAt(field, spots) ?? this.#nearest(point, reach, spots)
  }

  /** Ask for the walk of the move that would end at a spot, and show it. */
  preview(spot: string | null): void {
    const action = spot === null ? undefined : this.ends.get(spot)
    if (this.isMoveDrafted || action === this.walk?.action) return
    if (action && this.#props().legal.includes(action)) this.#showWalk(action, this.#props().draft)
    else this.walk = null
  }

  /** Every field or place that can be chosen now, to go through them one by one. */
  choices(): Field[] {
    const { scene, seat } = this.#props()
    if (this.isLaying) {
      const places = [...this.lays].map(readPlace)
      return places.filter(({ isDown }) => isDown === this.isDown).map(middleOf)
    }
    if (this.offer.takes.size) return [...this.offer.takes].map(readPlace).map(middleOf)
    const spots = this.ends.size ? [...this.ends.keys()] : this.#stoneSpots()
    return spots.map((spot) => fieldAt(spotPoint(scene, seat, 0, spot), scene.size))
  }

  /** Forget what was hovering or chosen. */
  clear(): void {
    this.ghost = null
    this.isDragging = false
    this.#dropsWhenOffered = false
    if (!this.isMoveDrafted) {
      this.chosen = null
      this.walk = null
    }
  }

  /** Keep in step with what the server offers: forget choices that are over, make those that are the only one. */
  follow(): void {
    const { draft, view } = this.#props()
    const isKept = this.#offered.canKeep || draft.at(-1) === 'keep'
    if (!this.offer.moves.size && !isKept) this.chosen = null
    const [only] = this.offer.moves.keys()
    if (only && this.offer.moves.size === 1) this.chosen = only
    const drafted = draft.at(-1) ?? ''
    if (!drafted) this.#last = null
    if (drafted.startsWith('move ')) {
      if (this.walk?.action !== drafted) this.#showWalk(drafted, draft.slice(0, -1))
    } else if (!this.offer.moves.size) this.walk = null
    this.#holdLikeBefore(view.taken?.place ?? null)
    if (!this.lays.size && !this.isDragging && !this.#dropsWhenOffered) this.ghost = null
  }

  /** A jetty that is taken up is held the way it lay. */
  #holdLikeBefore(taken: string | null): void {
    if (taken !== null && taken !== this.#taken) this.isDown = readPlace(taken).isDown
    this.#taken = taken
  }

  #tapJetties(point: Point): void {
    const { scene, view } = this.#props()
    const field = fieldAt(point, scene.size)
    const stone = this.#ownStoneAt(field)
    if (stone) {
      this.chooseStone(stone)
      return
    }
    const place = jettyAt(view, field)?.place
    if (!place) return
    if (this.offer.takes.has(place)) this.#choose(`take ${place}`)
    else this.#ask(`take ${place}`)
  }

  #tapStones(point: Point, reach: number): void {
    const { scene } = this.#props()
    const field = fieldAt(point, scene.size)
    const ends = [...this.ends.keys()]
    const end = this.#spotAt(field, ends)
    const stone = this.#ownStoneAt(field)
    const near = end || stone ? null : this.#nearest(point, reach, [...ends, ...this.#stoneSpots()])
    if (end ?? (near && ends.includes(near))) this.#choose(this.ends.get(end ?? near ?? '') ?? '')
    else if (stone ?? near) this.chooseStone(stone ?? this.#stoneFrom(near ?? '') ?? '')
    else this.#askForMove(field)
  }

  #askForMove(field: Field): void {
    const { scene, seat } = this.#props()
    const isTarget = islandAt(scene, field) === scene.seats[seat]?.target
    const stone = this.chosen ?? (isTarget ? this.#stoneFrom('home') : null)
    if (!stone) return
    const from = this.spots[scene.stones.indexOf(stone)] ?? 'island'
    this.#ask(`move ${stone} ${from}>${isTarget ? 'home' : fieldText(field)}`)
  }

  /** The player's stone on a field; of those waiting on the island one that can move, and not the same one twice. */
  #ownStoneAt(field: Field): string | null {
    const { scene, view, seat } = this.#props()
    if (islandAt(scene, field) === scene.seats[seat]?.start) return this.#stoneFrom('island')
    const index = this.isMoveDrafted ? this.spots.indexOf(fieldText(field)) : stoneOf(view, seat, field)
    return scene.stones[index] ?? null
  }

  #stoneFrom(spot: string): string | null {
    const { scene } = this.#props()
    const there = scene.stones.filter((_, index) => this.spots[index] === spot)
    return there.find((stone) => this.offer.moves.has(stone)) ?? there[0] ?? null
  }

  /** Where the stones are that can move. */
  #stoneSpots(): string[] {
    const { scene } = this.#props()
    return scene.stones.flatMap((stone, index) => {
      const spot = this.spots[index]
      return spot && this.offer.moves.has(stone) ? [spot] : []
    })
  }

  #spotAt(field: Field, spots: string[]): string | null {
    const { scene, seat } = this.#props()
    const island = islandAt(scene, field)
    const { start, target } = scene.seats[seat] ?? {}
    const text = island === null ? fieldText(field) : island === target ? 'home' : island === start ? 'island' : null
    return text !== null && spots.includes(text) ? text : null
  }

  /** The spot that was probably meant; who hits the middle of another field of a jetty means that one. */
  #nearest(point: Point, reach: number, spots: string[]): string | null {
    const { scene, view, seat } = this.#props()
    const isOnJetty = jettyAt(view, fieldAt(point, scene.size)) !== null
    const most = CELL * (isOnJetty ? Math.min(reach, NEXT_FIELD) : reach)
    const far = spots.map((spot) => ({ spot, far: distance(spotPoint(scene, seat, 0, spot), point) }))
    far.sort((a, b) => a.far - b.far)
    const [best] = far
    return best && best.far <= most ? best.spot : null
  }

  #choose(action: string): void {
    const { draft, legal, act } = this.#props()
    const replaced = legal.includes(action) ? null : this.#replaceable
    if (replaced?.step === action) return
    this.#doings += 1
    const after = replaced?.after ?? draft
    this.#last = { step: action, after, offer: replaced?.offer ?? this.#offered, spots: [...this.spots] }
    if (action.startsWith('move ') && action !== this.walk?.action) this.#showWalk(action, after)
    act(action, after)
  }

  #ask(action: string): void {
    const { draft, ask } = this.#props()
    this.#doings += 1
    ask(action, (this.#isNext ? null : this.#replaceable?.after) ?? draft)
  }

  #showWalk(action: string, after: string[]): void {
    this.walk = { action, spots: [] }
    void this.#props()
      .show(action, after)
      .then((spots) => {
        if (this.walk?.action === action) this.walk = { action, spots }
      })
      .catch(() => undefined)
  }
}

function stoneOf(view: View, seat: number, field: Field): number {
  const found = stoneAt(view, field)
  return found?.seat === seat ? found.index : -1
}
