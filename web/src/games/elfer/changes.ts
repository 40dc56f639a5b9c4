/** What has moved between two views: tiles that fly from one place to another. */
import { leftOf, type Index, type Scene, type View } from './model'

export type Spot =
  { kind: 'bag' } | { kind: 'bonus' } | { kind: 'rack'; seat: number } | { kind: 'field'; field: string }

export interface Flight {
  /** None for a tile that is hidden from the viewer. */
  tile: string | null
  from: Spot
  to: Spot
}

/** When racks are dealt, no more tiles than these fly to one rack. */
const MAX_TO_A_RACK = 7

const BAG: Spot = { kind: 'bag' }
const BONUS: Spot = { kind: 'bonus' }

/** The flights, as far as possible in the order in which they happened. */
export function flightsBetween(before: View, now: View, scene: Scene, index: Index): Flight[] {
  if (before.round !== now.round) return dealt(before, now)
  const isUndone = before.laid.some((field) => !now.laid.includes(field))
  if (isUndone) return []
  return [
    ...laidTiles(before, now, index),
    ...handedTiles(before, now, scene),
    ...dealt(before, now),
    ...bonusTile(before, now),
  ]
}

function laidTiles(before: View, now: View, index: Index): Flight[] {
  const lost = now.racks.map((rack, seat) => missing(before.racks[seat]?.tiles ?? [], rack.tiles))
  const shrunk = now.racks.map((rack, seat) => Math.max(0, (before.racks[seat]?.size ?? 0) - rack.size))
  const isNew = (field: string): boolean => !before.laid.includes(field)
  return now.laid.filter(isNew).map((field): Flight => {
    const tile = index.fields.get(field)!.tile
    return { tile, from: originOf(tile, before, lost, shrunk), to: { kind: 'field', field } }
  })
}

/** Where a tile on the board came from: a rack that surely lost it, the bonus place, or a rack that shrank. */
function originOf(tile: string, before: View, lost: string[][], shrunk: number[]): Spot {
  const owner = lost.findIndex((tiles) => tiles.includes(tile))
  if (owner >= 0) {
    lost[owner]!.splice(lost[owner]!.indexOf(tile), 1)
    shrunk[owner]!--
    return { kind: 'rack', seat: owner }
  }
  if (before.bonus_tile === tile) return BONUS
  const other = shrunk.findIndex((count, seat) => count > 0 && (before.turn === null || seat === before.turn))
  if (other < 0) return BAG
  shrunk[other]!--
  return { kind: 'rack', seat: other }
}

/** One tile less here, one more to the left, and nothing drawn: it was handed on. */
function handedTiles(before: View, now: View, scene: Scene): Flight[] {
  if (before.bag_size !== now.bag_size) return []
  return now.racks.flatMap((rack, seat): Flight[] => {
    const left = leftOf(seat, scene)
    const isGiver = rack.size < before.racks[seat]!.size
    const isGiven = now.racks[left]!.size === before.racks[left]!.size + 1
    if (!isGiver || !isGiven) return []
    const tile = missing(now.racks[left]!.tiles, before.racks[left]!.tiles)[0] ?? null
    return [{ tile, from: { kind: 'rack', seat }, to: { kind: 'rack', seat: left } }]
  })
}

function dealt(before: View, now: View): Flight[] {
  if (now.bag_size >= before.bag_size && before.round === now.round) return []
  return now.racks.flatMap((rack, seat) => {
    const old = before.round === now.round ? before.racks[seat] : undefined
    const count = Math.min(MAX_TO_A_RACK, rack.size - (old?.size ?? 0))
    const known = missing(rack.tiles, old?.tiles ?? [])
    const tiles = Array.from({ length: Math.max(0, count) }, (_, i) => known[i] ?? null)
    return tiles.map((tile): Flight => ({ tile, from: BAG, to: { kind: 'rack', seat } }))
  })
}

function bonusTile(before: View, now: View): Flight[] {
  if (!now.bonus_tile || before.bonus_tile === now.bonus_tile) return []
  return [{ tile: now.bonus_tile, from: BAG, to: BONUS }]
}

/** The tiles of the first list that the second one lacks. */
function missing(tiles: string[], others: string[]): string[] {
  const rest = [...others]
  return tiles.filter((tile) => {
    const found = rest.indexOf(tile)
    if (found >= 0) rest.splice(found, 1)
    return found < 0
  })
}
