/** What can be chosen on the board: the next action of the turn, or another one in place of the last drafted action. */
import type { BoardProps } from '../types'
import { readOffer, type Offer, type Scene, type View } from './model'
import type { Word } from './words'

export type StegeProps = BoardProps<Scene, View, Word>

/** An action that was drafted here, with what could have been chosen instead. */
interface Drafted {
  action: string
  /** The actions before it. */
  after: string[]
  offer: Offer
  /** Where the player's stones stood. */
  spots: string[]
}

export class Choices {
  /** How often something was chosen or asked: whoever handles a touch can see whether it did anything. */
  count = 0
  #last = $state<Drafted | null>(null)

  constructor(readonly props: () => StegeProps) {}

  /** The legal actions. */
  next = $derived.by(() => readOffer(this.props().legal))

  /** The drafted action that another choice would replace; a forced pass after it does not matter. */
  #replaceable = $derived.by(() => {
    const { draft } = this.props()
    const last = this.#last
    if (!last) return null
    const [action, ...forced] = draft.slice(last.after.length)
    return action === last.action && forced.every((text) => text === 'pass') ? last : null
  })

  #isNextOnBoard = $derived(this.next.lays.size + this.next.takes.size + this.next.moves.size > 0)
  /** Whether a legal action has a place on the board. */
  #isNext = $derived(this.#isNextOnBoard || this.next.canKeep)

  /** What can be chosen on the board: the next action, or else another one in place of the last. */
  offer = $derived((this.#isNext ? null : this.#replaceable?.offer) ?? this.next)

  /** The places where a jetty fits: the one to lay next, or else the one laid last. */
  lays = $derived.by(() => {
    if (this.next.lays.size) return this.next.lays
    return this.#replaceable?.offer.lays ?? this.next.lays
  })

  /** Whether a touch of the water lays a jetty. */
  isLaying = $derived(this.offer.lays.size > 0)

  /** The place of the jetty that was laid last and can still be moved. */
  laidLast = $derived.by(() => {
    const action = this.#replaceable?.action ?? ''
    return action.startsWith('lay ') ? action.slice('lay '.length) : null
  })

  isActive = $derived(this.#isNext || this.#replaceable !== null)
  isMoveDrafted = $derived(this.#replaceable?.action.startsWith('move ') ?? false)

  /** Where the player's stones stand for the choice at hand. */
  spots = $derived.by(() => {
    const { view, seat } = this.props()
    const isReplacing = !this.#isNextOnBoard && this.#replaceable !== null
    return (isReplacing ? this.#replaceable?.spots : view.stones[seat]) ?? []
  })

  /** Draft an action; `beforehand` is called with the actions that stay before it. The same one is not drafted twice. */
  choose(action: string, beforehand?: (after: string[]) => void): void {
    const { draft, legal, act } = this.props()
    const replaced = legal.includes(action) ? null : this.#replaceable
    if (replaced?.action === action) return
    this.count += 1
    const after = replaced?.after ?? draft
    this.#last = { action, after, offer: replaced?.offer ?? this.next, spots: [...this.spots] }
    beforehand?.(after)
    act(action, after)
  }

  /** Ask the server why an action is not legal. */
  ask(action: string): void {
    const { draft, ask } = this.props()
    this.count += 1
    ask(action, (this.#isNext ? null : this.#replaceable?.after) ?? draft)
  }

  /** Take the last drafted action back. */
  takeBack(): void {
    const { draft, goBack } = this.props()
    this.count += 1
    goBack(draft.slice(0, -1))
  }

  /** Keep up with the draft. */
  follow(): void {
    if (!this.props().draft.length) this.#last = null
  }
}
