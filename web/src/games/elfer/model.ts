/** Elfer's scene and view, indexed for drawing, and its action texts. Nothing here knows the rules. */
import type { Field, Row, Scene, Tile } from './protocol'

export type { Bridge, Field, Rack, Row, Scene, Tile, View } from './protocol'

/** Lookup tables of a scene, by the texts of tiles and fields. */
export interface Index {
  tiles: Map<string, Tile>
  fields: Map<string, Field>
  /** The fields that a tile goes on, by the tile's text. */
  fieldsOf: Map<string, Field[]>
  /** The row that a coloured tile or a symbol belongs to; none for a joker. */
  rowOf: Map<string, Row>
  at: (row: number, column: number) => Field | undefined
}

const indices = new WeakMap<Scene, Index>()

/** The index of a scene, made once. */
export function indexOf(scene: Scene): Index {
  const index = indices.get(scene) ?? newIndex(scene)
  indices.set(scene, index)
  return index
}

function newIndex(scene: Scene): Index {
  const fieldsOf = new Map<string, Field[]>()
  const places = new Map<string, Field>()
  for (const field of scene.fields) {
    fieldsOf.set(field.tile, [...(fieldsOf.get(field.tile) ?? []), field])
    places.set(`${field.row},${field.column}`, field)
  }
  const rowOf = new Map<string, Row>()
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
  { kind: 'lay'; field: string } | { kind: 'hand'; tile: string } | { kind: 'keep' | 'draw' | 'other' }

export function readAction(text: string): Action {
  const [verb, ...rest] = text.split(' ')
  const what = rest.join(' ')
  if (verb === 'lay') return { kind: 'lay', field: what }
  if (verb === 'hand') return { kind: 'hand', tile: what }
  return { kind: text === 'keep' || text === 'draw' ? text : 'other' } // with a tile, `draw` is what chance did
}

/** The legal actions, sorted by what on the table they belong to. */
export interface Offer {
  /** Fields that can be laid on. */
  lays: Set<string>
  /** The same, by the tile that goes there. */
  laysOf: Map<string, Field[]>
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
export const leftOf = (seat: number, scene: Scene): number => (seat + 1) % scene.players

export type Order = 'colour' | 'number'

/** A tile on a rack; the key tells tiles of the same kind apart. */
export interface RackTile {
  key: string
  tile: Tile
  /** Whether a new colour begins here. */
  opensGroup: boolean
}

/** Symbols are sorted behind all numbers. */
const AFTER_NUMBERS = 100

/** A rack as its owner wants to see it. */
export function sortRack(texts: string[], order: Order, index: Index): RackTile[] {
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

/** The fields that these actions lay tiles on. */
export function laidBy(actions: string[]): Set<string> {
  const fields = actions.map(readAction).flatMap((action) => (action.kind === 'lay' ? [action.field] : []))
  return new Set(fields)
}
