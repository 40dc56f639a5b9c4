/** What the server tells of Elfer, taken apart for drawing. Nothing here knows what is allowed. */
import type { ElferField, ElferRow, ElferScene, ElferTile, ElferView } from '../../lib/protocol'

export type { ElferBridge as Bridge, ElferRack as Rack } from '../../lib/protocol'
export type { ElferField as Field, ElferRow as Row, ElferScene as Scene, ElferTile as Tile, ElferView as View }

/** The scene, found by the texts of the notation. */
export interface Index {
  tiles: Map<string, ElferTile>
  fields: Map<string, ElferField>
  /** The fields that a tile goes on, by the tile's text. */
  fieldsOf: Map<string, ElferField[]>
  /** The row that a coloured tile or a symbol belongs to; none for a joker. */
  rowOf: Map<string, ElferRow>
  at: (row: number, column: number) => ElferField | undefined
}

const indices = new WeakMap<ElferScene, Index>()

/** The index of a scene, made once. */
export function indexOf(scene: ElferScene): Index {
  const index = indices.get(scene) ?? newIndex(scene)
  indices.set(scene, index)
  return index
}

function newIndex(scene: ElferScene): Index {
  const fieldsOf = new Map<string, ElferField[]>()
  const places = new Map<string, ElferField>()
  for (const field of scene.fields) {
    fieldsOf.set(field.tile, [...(fieldsOf.get(field.tile) ?? []), field])
    places.set(`${field.row},${field.column}`, field)
  }
  const rowOf = new Map<string, ElferRow>()
  for (const tile of scene.tiles) {
    const row = scene.rows.find(({ colour, symbol }) => colour === tile.colour || symbol === tile.text)
    if (row) rowOf.set(tile.text, row)
  }
  return {
    tiles: new Map(scene.tiles.map((tile) => [tile.text, tile])),
    fields: new Map(scene.fields.map((field) => [field.text, field])),
    fieldsOf,
    rowOf,
    at: (row, column) => places.get(`${row},${column}`),
  }
}

export type Action =
  | { kind: 'lay'; field: string }
  | { kind: 'hand' | 'drawn'; tile: string }
  | { kind: 'start'; seat: number }
  | { kind: 'stop' | 'keep' | 'draw' | 'pass' | 'skip' | 'other' }

const PLAIN = ['stop', 'keep', 'draw', 'pass', 'skip'] as const

export function readAction(text: string): Action {
  const [verb, ...rest] = text.split(' ')
  const what = rest.join(' ')
  if (verb === 'lay') return { kind: 'lay', field: what }
  if (verb === 'hand') return { kind: 'hand', tile: what }
  if (verb === 'draw' && what) return { kind: 'drawn', tile: what }
  if (verb === 'start') return { kind: 'start', seat: Number(what) }
  return { kind: PLAIN.find((plain) => plain === text) ?? 'other' }
}

/** The legal actions, sorted by what on the table they belong to. */
export interface Offer {
  /** Fields that can be laid on. */
  lays: Set<string>
  /** The same, by the tile that goes there. */
  laysOf: Map<string, ElferField[]>
  /** Tiles that can be handed on. */
  hands: Set<string>
  canKeep: boolean
  canDraw: boolean
}

export function readOffer(legal: string[], index: Index): Offer {
  const offer: Offer = { lays: new Set(), laysOf: new Map(), hands: new Set(), canKeep: false, canDraw: false }
  for (const text of legal) {
    const action = readAction(text)
    if (action.kind === 'lay') {
      const field = index.fields.get(action.field)
      if (!field) continue
      offer.lays.add(field.text)
      offer.laysOf.set(field.tile, [...(offer.laysOf.get(field.tile) ?? []), field])
    } else if (action.kind === 'hand') offer.hands.add(action.tile)
    else if (action.kind === 'keep') offer.canKeep = true
    else if (action.kind === 'draw') offer.canDraw = true
  }
  return offer
}

/** The seat that tiles are handed to. */
export const leftOf = (seat: number, scene: ElferScene): number => (seat + 1) % scene.players

export type Order = 'colour' | 'number'

/** A tile on a rack; the key tells tiles of the same kind apart. */
export interface Held {
  key: string
  tile: ElferTile
  /** Whether a new colour begins here. */
  opensGroup: boolean
}

/** Where symbols stand among numbers. */
const AFTER_NUMBERS = 100

/** A rack as its owner wants to see it. */
export function sortRack(texts: string[], order: Order, index: Index): Held[] {
  const tiles = texts.map((text) => index.tiles.get(text)!)
  // The server sorts by colour; sorting is stable, so equal numbers keep that order.
  if (order === 'number') tiles.sort((a, b) => (a.number ?? AFTER_NUMBERS) - (b.number ?? AFTER_NUMBERS))
  const seen = new Map<string, number>()
  return tiles.map((tile, place) => {
    const copy = seen.get(tile.text) ?? 0
    seen.set(tile.text, copy + 1)
    const before = tiles[place - 1]
    const opensGroup = order === 'colour' && !!before && (before.kind !== tile.kind || before.colour !== tile.colour)
    return { key: `${tile.text}#${copy}`, tile, opensGroup }
  })
}

/** The fields named by the newest moves. */
export function laidBy(actions: string[]): Set<string> {
  const fields = actions.map(readAction).flatMap((action) => (action.kind === 'lay' ? [action.field] : []))
  return new Set(fields)
}
