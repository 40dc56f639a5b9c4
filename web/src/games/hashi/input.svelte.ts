/** Mouse, fingers and keys on the player's own board: what they point at, and which action they mean. */
import { isArrow } from '../arrows'
import { Magnifier } from '../magnifier.svelte'
import type { BoardReferee } from '../types'
import { CELL, islandNear, lineAlong, lineNear, type Point, spotPoint } from './geometry'
import {
  type Board,
  bridgeText,
  type FaultMark,
  faultMarks,
  joinText,
  lineBetween,
  type Scene,
  type Spot,
  START_NUMBERS,
  writeText,
} from './model'
import { nextSpot } from './navigate'

/** The radius around the centre of an island that counts as a hit, in units of the drawing. */
export const ISLAND_REACH = 46
/** The same while bridges are due: what lies between two neighbours belongs to their line. */
const ISLAND_REACH_WHILE_BUILDING = 33
/** How far from a line it can be hit while bridges are due; otherwise only half as far. */
const LINE_REACH = 42
/** A longer movement is a drag. */
const MIN_DRAG = 26

interface InputProps {
  scene: Scene
  board: Board
  /** The number that a tap writes. */
  number: number
  legal: string[]
  draft: string[]
  referee: BoardReferee | null
  /** Before the first round. */
  isStart: boolean
  /** Add an action to the draft; with `draftBefore`, to that draft instead of the current one. */
  act: (actionText: string, draftBefore?: string[]) => void
  /** Ask the server why an action is refused. */
  ask: (actionText: string) => void
  /** Select the start number. */
  choose: (number: number) => void
}

interface Drag {
  from: number
  to: Point
  start: Point
  /** Whether it has been long enough to be a drag. */
  hasMoved: boolean
}

export class BoardInput {
  /** The spot that was focused or activated last. */
  current = $state<Spot>({ kind: 'island', index: 0 })
  hovered = $state<Spot | null>(null)
  focused = $state<Spot | null>(null)
  drag = $state<Drag | null>(null)
  /** The island from which a bridge is to be built. */
  #chosenFrom = $state<number | null>(null)
  #ignoresNextClick = false
  readonly magnifier: Magnifier

  constructor(
    private readonly props: () => InputProps,
    private readonly svg: () => SVGSVGElement | undefined,
  ) {
    // Between two islands side by side a line has only this much room.
    this.magnifier = new Magnifier(svg, () =>
      this.isBuilding ? CELL - 2 * ISLAND_REACH_WHILE_BUILDING : 2 * ISLAND_REACH,
    )
  }

  #legal = $derived.by(() => new Set(this.props().legal))
  /** Whether there is anything to do on the board. */
  isActive = $derived.by(() => this.#legal.size > 0)
  isWriting = $derived.by(() => ['write', 'start'].includes(this.props().board.step))
  isBuilding = $derived.by(() => {
    const { board, legal } = this.props()
    return board.step === 'bridge' && legal.some((text) => text.startsWith('bridge '))
  })

  /** Islands to write on. */
  openIslands = $derived.by(() => {
    const { scene, number } = this.props()
    return indices(scene.islands, (island) => this.#legal.has(writeText(island, number)))
  })
  /** Lines to build on. */
  openLines = $derived.by(() => indices(this.props().scene.lines, (line) => this.#legal.has(bridgeText(line))))

  /** What the referee has found, at its place. */
  faults = $derived.by(() => faultMarks(this.props().scene, this.props().referee?.faults ?? []))
  /** Whether lines can be pressed, to build on or to erase from. */
  hasLines = $derived.by(() => this.isBuilding || this.faults.some(({ spot }) => spot.kind === 'line'))

  /** The island from which a bridge is to be built. */
  from = $derived.by(() => (this.isBuilding ? this.#chosenFrom : null))

  /** The bridge that a drag would build. */
  target = $derived.by(() => (this.drag?.hasMoved ? this.#aim(this.drag.from, this.drag.to) : null))

  /** The lines that are highlighted for building; null while no bridge is due. */
  invitingLines = $derived.by(() => {
    if (!this.isBuilding) return null
    const start = this.drag?.hasMoved ? this.drag.from : this.from
    if (start === null) return this.openLines
    const { lines } = this.props().scene
    return new Set([...this.openLines].filter((line) => lines[line]!.islands.includes(start)))
  })

  /** The spot where a number or a bridge would appear. */
  preview = $derived.by((): Spot | null => {
    if (this.drag?.hasMoved) {
      const line = this.target?.line ?? null
      return line !== null && this.openLines.has(line) ? { kind: 'line', index: line } : null
    }
    const spot = this.hovered ?? this.focused
    if (!spot || this.canErase(spot)) return null
    return (spot.kind === 'island' ? this.openIslands : this.openLines).has(spot.index) ? spot : null
  })

  /** The spot that the tab key reaches. */
  tabStop = $derived.by((): Spot =>
    this.hasLines || this.current.kind === 'island' ? this.current : { kind: 'island', index: 0 },
  )

  /** What the finger under the magnifier would choose. */
  magnifiedTarget = $derived.by((): Point | null => {
    if (!this.magnifier.shown) return null
    const { scene } = this.props()
    const spot = this.drag?.hasMoved ? this.#islandAt(this.drag.to) : this.#spotAt(this.magnifier.shown.point)
    return spot && spotPoint(scene, spot)
  })

  faultAt({ kind, index }: Spot): FaultMark | undefined {
    return this.faults.find(({ spot }) => spot.kind === kind && spot.index === index)
  }

  /** Whether a fault lies here that can still be erased. */
  canErase(spot: Spot): boolean {
    return Boolean(this.faultAt(spot)?.action_text)
  }

  /** Whether pressing a spot does something legal. */
  isOpen(spot: Spot): boolean {
    if (this.canErase(spot)) return true
    if (spot.kind === 'line') return this.openLines.has(spot.index)
    return this.openIslands.has(spot.index) || (this.isBuilding && this.hasOpenLine(spot.index))
  }

  hasOpenLine(island: number): boolean {
    const { lines } = this.props().scene
    return [...this.openLines].some((line) => lines[line]!.islands.includes(island))
  }

  // Pointers

  /** A pointer hits what is nearest; assistive technology, which clicks without a pointer, hits what it names. */
  readonly click = (event: MouseEvent): void => {
    if (this.#ignoresNextClick) return
    const hasPointer = event instanceof PointerEvent ? event.pointerType !== '' : event.detail > 0
    const spot = hasPointer ? this.#spotAt(this.#pointOf(event)) : spotOf(event.target)
    if (spot) this.#activate(spot)
  }

  readonly down = (event: PointerEvent): void => {
    this.#ignoresNextClick = false
    if (this.isActive) this.magnifier.down(event)
    if (!this.isBuilding || event.button !== 0) return
    const start = this.#pointOf(event)
    const island = islandNear(this.props().scene, start, ISLAND_REACH)
    if (island !== null) this.drag = { from: island, to: start, start, hasMoved: false }
  }

  readonly move = (event: PointerEvent): void => {
    const point = this.#pointOf(event)
    this.magnifier.move(event, this.drag?.hasMoved)
    if (!this.drag) {
      this.hovered = event.pointerType === 'mouse' ? this.#spotAt(point) : null
      return
    }
    const { start } = this.drag
    const hasMoved = this.drag.hasMoved || Math.hypot(point.x - start.x, point.y - start.y) > MIN_DRAG
    if (hasMoved && !this.drag.hasMoved) this.svg()!.setPointerCapture(event.pointerId)
    this.drag = { ...this.drag, to: point, hasMoved }
  }

  readonly up = (): void => {
    const point = this.magnifier.up()
    if (this.drag?.hasMoved) {
      this.#ignoresNextClick = true
      const end = this.#aim(this.drag.from, this.drag.to)
      if (end) this.#build(end.action)
    } else if (point) {
      this.#ignoresNextClick = true // the magnifier has handled it already
      const spot = this.#spotAt(point)
      if (spot) this.#activate(spot)
    }
    this.drag = null
  }

  readonly cancel = (): void => {
    this.drag = null
    this.magnifier.cancel()
  }

  // Keys

  readonly keydown = (event: KeyboardEvent): void => {
    const { scene, isStart, choose } = this.props()
    const spot = spotOf(event.target)
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return
    if (isArrow(event.key)) {
      event.preventDefault()
      this.current = nextSpot(scene, spot, event.key, this.hasLines)
      const { kind, index } = this.current
      this.svg()?.querySelector<SVGElement>(`[data-spot=${kind}][data-index="${index}"]`)?.focus()
    } else if ((event.key === 'Enter' || event.key === ' ') && this.isActive) {
      event.preventDefault()
      event.stopPropagation()
      this.#activate(spot)
    } else if (isStart && START_NUMBERS.includes(Number(event.key))) {
      choose(Number(event.key))
    }
  }

  // From spots to actions

  #activate(spot: Spot): void {
    const { scene, number, referee } = this.props()
    this.current = spot
    const fault = this.faultAt(spot)
    if (fault && this.#legal.has(fault.action_text)) referee?.erase(fault)
    else if (spot.kind === 'line') this.#build(bridgeText(scene.lines[spot.index]!))
    else if (this.isBuilding) this.#pickEnd(spot.index)
    else this.#attempt(writeText(scene.islands[spot.index]!, number))
  }

  /** The first island that is tapped is where the bridge starts, a neighbour tapped next is where it ends. */
  #pickEnd(island: number): void {
    const { scene } = this.props()
    const { from } = this
    if (from === island) this.#chosenFrom = null
    else if (from !== null && lineBetween(scene, from, island) !== null) this.#build(joinText(scene, from, island))
    else if (this.hasOpenLine(island)) this.#chosenFrom = island
    // No line is open here: attempt any, so that the server explains why not.
    else this.#build(bridgeText(scene.lines.find((line) => line.islands.includes(island))!))
  }

  #build(action: string): void {
    this.#chosenFrom = null
    this.#attempt(action)
  }

  /** Do it if it is legal, else ask the server why not. */
  #attempt(action: string): void {
    const { draft, isStart, act, ask } = this.props()
    if (this.#legal.has(action)) act(action)
    else if (isStart && draft.length)
      act(action, []) // replaces the start number that was drafted before
    else if (this.isActive || draft.length) ask(action)
  }

  /** What a drag from an island to a point would build. */
  #aim(start: number, point: Point): { line: number | null; action: string } | null {
    const { scene } = this.props()
    const island = islandNear(scene, point, ISLAND_REACH)
    if (island !== null && island !== start) {
      return { line: lineBetween(scene, start, island), action: joinText(scene, start, island) }
    }
    const line = island === null ? lineAlong(scene, start, point) : null
    return line === null ? null : { line, action: bridgeText(scene.lines[line]!) }
  }

  // From pointers to spots

  #pointOf(event: MouseEvent): Point {
    const matrix = this.svg()!.getScreenCTM()!.inverse()
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix)
    return { x, y }
  }

  #islandAt(point: Point, reach = ISLAND_REACH): Spot | null {
    const island = islandNear(this.props().scene, point, reach)
    return island === null ? null : { kind: 'island', index: island }
  }

  #spotAt(point: Point): Spot | null {
    const island = this.#islandAt(point, this.isBuilding ? ISLAND_REACH_WHILE_BUILDING : ISLAND_REACH)
    if (island) return island
    const reach = this.isBuilding ? LINE_REACH : LINE_REACH / 2
    // Other lines can be hit, too: pressing one tells why it is refused.
    const isPreferred = (index: number): boolean =>
      this.openLines.has(index) || this.faultAt({ kind: 'line', index }) !== undefined
    const line = lineNear(this.props().scene, point, reach, isPreferred)
    return line === null ? null : { kind: 'line', index: line }
  }
}

function indices<Item>(items: Item[], test: (item: Item) => boolean): Set<number> {
  return new Set(items.flatMap((item, index) => (test(item) ? [index] : [])))
}

/** The spot that an element of the drawing belongs to. */
function spotOf(target: EventTarget | null): Spot | null {
  const data = (target as Element | null)?.closest<SVGElement>('[data-spot]')?.dataset
  return data ? { kind: data.spot as Spot['kind'], index: Number(data.index) } : null
}
