/** The keyboard on the sea: a cursor that goes from field to field, and what is read out about it. */
import { ARROWS, isArrow } from '../arrows'
import type { StegeProps } from './choices.svelte'
import { fieldPoint } from './geometry'
import { fieldText, islandAt, jettyAt, type Field } from './model'
import type { BoardInput } from './board-input.svelte'
import type { Pointing } from './pointing.svelte'
import { fieldLabel, placeWords } from './words'

export class Keyboard {
  cursor = $state<Field>({ row: 1, column: 1 })
  /** What screen readers say about the jetty in hand. */
  announcement = $state('')

  constructor(
    private readonly props: () => StegeProps,
    private readonly input: BoardInput,
    private readonly pointing: Pointing,
    private readonly svg: () => SVGSVGElement,
  ) {}

  /** Begin in the middle of a sea of some size. */
  start(size: number): void {
    const middle = Math.ceil(size / 2)
    this.cursor = { row: middle, column: middle }
  }

  /** A field was focused: the jetty in hand hovers there, or the walk that ends there is shown. */
  readonly focused = (field: Field): void => {
    this.cursor = field
    const point = fieldPoint(field)
    if (this.input.choices.isLaying) {
      this.input.jetty.aim(point)
      this.#announceFit()
    } else {
      this.pointing.target = this.input.target(point, 0)
      this.input.stones.preview(this.pointing.target)
    }
  }

  readonly keydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { cursor, input } = this
    const { size } = this.props().scene
    const arrow = isArrow(event.key) ? ARROWS[event.key] : null
    const within = (value: number): number => Math.min(Math.max(value, 1), size)
    if (arrow) this.#goTo({ row: within(cursor.row + arrow.down), column: within(cursor.column + arrow.right) })
    else if (event.key === 'Enter' || event.key === ' ') {
      // What is chosen already is left to the table: there Enter means done.
      if (!input.tap(fieldPoint(cursor), 0) && event.key === 'Enter') return
    } else if (event.key === 'n' || event.key === 'N') this.#goToNextChoice(event.shiftKey ? -1 : 1)
    else if (input.choices.offer.moves.has(event.key)) input.stones.choose(event.key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** Keys that work wherever the focus is. */
  readonly windowKeydown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') this.input.clear()
    if ((event.key === 'r' || event.key === 'R') && this.input.jetty.canTurn) {
      this.input.jetty.turn()
      this.#announceFit()
    }
  }

  /** What screen readers say about a field. */
  readonly labelOf = (field: Field): string => {
    const { scene, view, names, seat, say } = this.props()
    return fieldLabel(field, scene, view, { names, you: seat }, this.#signsAt(field), say)
  }

  /** Whether the chosen stone stands on a field. */
  readonly isChosen = (field: Field): boolean => {
    const { chosen } = this.input.stones
    const spot = chosen ? this.input.choices.spots[this.props().scene.stones.indexOf(chosen)] : undefined
    return spot === fieldText(field)
  }

  /** What can be done on a field. */
  #signsAt(field: Field): string[] {
    const { choices, stones } = this.input
    const { scene, view, seat, say } = this.props()
    if (!choices.isActive) return []
    const place = jettyAt(view, field)?.place
    const signs: string[] = []
    if (place && choices.offer.takes.has(place)) signs.push(say('canTake'))
    if (place && place === choices.laidLast) signs.push(say('isHeld'))
    const isTarget = islandAt(scene, field) === scene.seats[seat]?.target
    if (stones.ends.has(fieldText(field)) || (isTarget && stones.ends.has('home'))) signs.push(say('canEnd'))
    const stone = scene.stones[choices.spots.indexOf(fieldText(field))]
    if (stone && choices.offer.moves.has(stone)) signs.push(say(stones.chosen === stone ? 'isChosen' : 'canMove'))
    return signs
  }

  #goTo(field: Field): void {
    this.cursor = field
    this.svg()
      .querySelector<SVGElement>(`[data-field="${fieldText(field)}"]`)
      ?.focus()
  }

  #goToNextChoice(step: number): void {
    const fields = this.input.fieldsToChoose()
    if (!fields.length) return
    const here = fields.findIndex(({ row, column }) => row === this.cursor.row && column === this.cursor.column)
    const next = here < 0 ? (step > 0 ? 0 : -1) : (here + step) % fields.length
    this.#goTo(fields.at(next) ?? this.cursor)
  }

  #announceFit(): void {
    const { preview, fits } = this.input.jetty
    const { say } = this.props()
    if (preview) this.announcement = say(fits ? 'fits' : 'misfit', { place: placeWords(preview, say) })
  }
}
