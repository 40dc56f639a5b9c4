/** The stones as they are drawn: where they stand, along which path they came, and what can be done with them. */
import type { StegeProps } from './choices.svelte'
import { type Point, spotPoint, stoneScale, walkPoints } from './geometry'
import { readAction, readField } from './model'
import type { BoardInput } from './board-input.svelte'

export interface Piece {
  key: string
  seat: number
  letter: string
  point: Point
  scale: number
  /** The points of the walk that led here; empty if it is not known. */
  path: Point[]
  canMove: boolean
  isChosen: boolean
}

export function piecesOf({ scene, view, seat, paths }: StegeProps, { choices, stones }: BoardInput): Piece[] {
  const { offer, isMoveDrafted } = choices
  return view.stones.flatMap((spots, owner) =>
    spots.map((spot, index): Piece => {
      const letter = scene.stones[index] ?? ''
      const isOwn = owner === seat
      const isShownWalk = isOwn && stones.walk !== null && leadsTo(stones.walk.action, letter, spot)
      const reported = paths.findLast((one) => one.seat === owner && leadsTo(one.action_text, letter, spot))
      const path = isShownWalk ? stones.walk?.path : reported?.path
      return {
        key: `${owner}${letter}`,
        seat: owner,
        letter,
        point: spotPoint(scene, owner, index, spot),
        scale: stoneScale(spot),
        path: path ? walkPoints(scene, owner, path) : [],
        canMove: isOwn && !isMoveDrafted && (offer.moves.has(letter) || (offer.canKeep && readField(spot) !== null)),
        isChosen: isOwn && stones.chosen === letter && !isMoveDrafted,
      }
    }),
  )
}

/** Whether an action is a move of a stone to a spot. */
function leadsTo(text: string, stone: string, spot: string): boolean {
  const action = readAction(text)
  return action.kind === 'move' && action.stone === stone && action.to === spot
}
