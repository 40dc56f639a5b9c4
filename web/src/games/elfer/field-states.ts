/** What there is to see on each field, and what can be done there. */
import type { BoardNotice } from '../types'
import {
  laidBy,
  readAction,
  type Field,
  type Index,
  type Offer,
  type Row,
  type Scene,
  type Tile,
  type View,
} from './model'

export interface FieldState {
  field: Field
  /** The tile that belongs here. */
  tile: Tile
  row: Row
  isLaid: boolean
  isOffered: boolean
  /** Whether it is a field of the tile that is pointed at. */
  isPointed: boolean
  isInviting: boolean
  isDraft: boolean
  isNew: boolean
  /** Whether a bonus lies on a bridge beside it. */
  hasBonus: boolean
  /** The other player who has laid this tile since the viewer acted last. */
  laidBy: number | null
}

interface Table {
  scene: Scene
  view: View
  index: Index
  offer: Offer
  draft: string[]
  fresh: string[]
  news: BoardNotice[]
  /** A tile whose fields are shown. */
  pointed: string | null
  /** Whether that tile has been chosen, so that only its fields are offered. */
  isChosen: boolean
}

export function fieldStates({ scene, view, index, offer, draft, fresh, news, pointed, isChosen }: Table): FieldState[] {
  const laid = new Set(view.laid)
  const drafted = laidBy(draft)
  const seats = seatsThatLaid(news)
  const latest = new Set([...laidBy(fresh), ...view.fresh, ...seats.keys()])
  const inviting = new Set(view.inviting)
  const bonusEnds = endsOfBonuses(scene, view, index)
  return scene.fields.map((field) => {
    const isLaid = laid.has(field.text)
    const isOffered = offer.lays.has(field.text) && !(isChosen && field.tile !== pointed)
    return {
      field,
      tile: index.tiles.get(field.tile)!,
      row: scene.rows[field.row]!,
      isLaid,
      isOffered,
      isPointed: field.tile === pointed && !isLaid && (isOffered || !offer.laysOf.has(field.tile)),
      isInviting: inviting.has(field.text),
      isDraft: drafted.has(field.text),
      isNew: latest.has(field.text),
      hasBonus: bonusEnds.has(field.text),
      laidBy: seats.get(field.text) ?? null,
    }
  })
}

/** Who has laid what, by field. */
function seatsThatLaid(news: BoardNotice[]): Map<string, number> {
  return new Map(
    news.flatMap(({ seat, action_text: text }) => {
      const action = readAction(text)
      return action.kind === 'lay' ? [[action.field, seat] as const] : []
    }),
  )
}

/** The fields at both ends of the bridges whose bonus is still there. */
function endsOfBonuses(scene: Scene, view: View, index: Index): Set<string | undefined> {
  return new Set(
    view.bonuses.flatMap((bridge) => {
      const { row, column } = scene.bridges[bridge]!
      return [index.at(row, column)?.text, index.at(row + 1, column)?.text]
    }),
  )
}
