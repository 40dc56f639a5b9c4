/** Labels for screen readers, and summaries of turns. */
import type { Say as AnySay } from '../../lib/format'
import type { ReportedAction } from '../types'
import {
  type Board,
  bridgesAt,
  type Card,
  type Island,
  type Line,
  otherEnd,
  parseAction,
  type Race,
  type Scene,
  struckFor,
  type View,
} from './model'
import type en from './words/en.json'

export type Word = keyof typeof en
export type Say = AnySay<Word>

/** Rows and columns are counted from 1, as at the edge of the drawn board. */
function placeOf(island: Island, say: Say): string {
  return say('at', { row: island.row + 1, column: island.column + 1 })
}

function wayOf(scene: Scene, line: Line, say: Say): string {
  const [a, b] = line.islands.map((end) => scene.islands[end]!) as [Island, Island]
  if (a.row === b.row) return say('inRow', { row: a.row + 1, from: a.column + 1, to: b.column + 1 })
  return say('inColumn', { column: a.column + 1, from: a.row + 1, to: b.row + 1 })
}

/** An island and what is on it. */
export function islandLabel(scene: Scene, board: Board, index: number, say: Say): string {
  const island = scene.islands[index]!
  const number = board.numbers[index]!
  const bridges = bridgesAt(scene, board, index)
  const parts = [say('island', { place: placeOf(island, say) })]
  if (island.flag) parts.push(say(`flag.${island.flag}` as Word))
  if (number) parts.push(say('number', { number, bridges }))
  else parts.push(say('noNumber'), ...(bridges ? [say('leads', { count: bridges })] : []))
  if (board.finished.includes(index)) parts.push(say('finished'))
  const struck = struckLabel(board, index, say)
  if (struck) parts.push(struck)
  return parts.join(', ')
}

/** That an island is struck out, and why; empty if it is not. */
export function struckLabel(board: Board, index: number, say: Say): string {
  const rule = struckFor(board, index)
  return rule ? say('struck', { clause: say(`clause.${rule}` as Word) }) : ''
}

/** A line and what is on it. */
export function lineLabel(scene: Scene, board: Board, index: number, say: Say): string {
  const way = wayOf(scene, scene.lines[index]!, say)
  const parts = [say('line', { way }), say(`bridges.${board.bridges[index]!}` as Word)]
  if (board.closed.includes(index)) parts.push(say('closed'))
  return parts.join(', ')
}

/** A card, in the words of `text`. */
export function cardLabel(card: Pick<Card, 'number' | 'bridges'>, text: 'card' | 'cardTurned', say: Say): string {
  return say(text, { number: card.number, bridges: say('leads', { count: card.bridges }) })
}

/** The state of a race on a board. */
export function raceLabel(scene: Scene, board: Board, index: number, say: Say): string {
  const race = scene.races[index]!
  return `${say(`race.${race.rule}` as Word)}: ${raceState(scene, board, index, race, say)}`
}

function raceState(scene: Scene, board: Board, index: number, race: Race, say: Say): string {
  const wonIn = board.won_in[index]!
  const points = board.pays[index]!
  if (wonIn) return say('raceWon', { points, round: wonIn })
  const { islands } = race
  const parts = [say('racePays', { progress: Math.min(board.progress[index]!, islands), islands, points })]
  if (points < race.full) parts.push(say('fullGone', { points: race.full }))
  else if (scene.players === 1) parts.push(say('raceLimit', { round: race.solo_limit }))
  return parts.join(', ')
}

/** What a race demands and pays, and its state on this board. */
export function raceExplained(scene: Scene, board: Board, index: number, isOwn: boolean, say: Say): string {
  const { rule, islands, full, late, solo_limit: limit } = scene.races[index]!
  const task = say(`${scene.players > 1 ? 'explain' : 'explainAlone'}.${rule}` as Word, { islands, full, late, limit })
  const [points, round] = [board.pays[index]!, board.won_in[index]!]
  const whose = say(isOwn ? 'yours' : 'here')
  if (round) return `${task} ${say('explainWon', { whose, points, round })}`
  const standing = say('explainStanding', { whose, progress: Math.min(board.progress[index]!, islands), islands })
  return [task, ...(points < full ? [say('explainLate', { points })] : []), standing].join(' ')
}

export function finishedExplained(scene: Scene, board: Board, isOwn: boolean, say: Say): string {
  const [count, each] = [board.finished.length, scene.points_per_island]
  return say('explainFinished', { each, whose: say(isOwn ? 'yours' : 'here'), count, points: count * each })
}

/** What somebody did in a round: the places are marked on the board. */
export function roundSummary(reported: ReportedAction[], name: string, _scene: Scene, say: Say): string {
  const actions = reported.map(({ action_text }) => parseAction(action_text))
  const written = actions.find((action) => action?.kind === 'write')
  const count = actions.filter((action) => action?.kind === 'bridge').length
  if (!written) return count ? say('drew', { name, count }) : (reported.at(-1)?.sentence ?? '')
  const { number } = written
  return count ? say('wroteAndDrew', { name, number, count }) : say('wrote', { name, number })
}

/** The races that a board has completed in the round that is just over. */
export function raceNews(scene: Scene, view: View, seat: number, name: string, say: Say): string[] {
  const board = view.boards[seat]!
  const last = view.phase === 'over' ? scene.rounds : view.round - 1
  return scene.races.flatMap(({ rule }, index) =>
    last > 0 && board.won_in[index] === last
      ? [say(`raceNews.${rule}` as Word, { name, points: board.pays[index]! })]
      : [],
  )
}

export function finishedLabel(scene: Scene, board: Board, say: Say): string {
  const count = board.finished.length
  return say('finishedIslands', { count, points: count * scene.points_per_island })
}

/** Another player's board in words: the islands with a number or bridges. */
export function boardLines(scene: Scene, view: View, seat: number, names: string[], say: Say): string[] {
  const board = view.boards[seat]!
  const state = view.phase === 'round' ? ` (${say(board.step === 'done' ? 'hasFinished' : 'isThinking')})` : ''
  const islands = scene.islands.flatMap((_, index) =>
    board.numbers[index] || bridgesAt(scene, board, index) || struckFor(board, index)
      ? [`${islandLabel(scene, board, index, say)}${neighbours(scene, board, index, say)}.`]
      : [],
  )
  const title = `${say('boardOf', { name: names[seat] ?? String(seat + 1) })}${state}:`
  return [title, ...startLine(scene, board, seat, names, say), ...islands]
}

function startLine(scene: Scene, board: Board, seat: number, names: string[], say: Say): string[] {
  if (!board.start) return []
  const place = placeOf(scene.islands[board.start.island]!, say)
  return [
    `${say('startNumber')} ${board.start.number}, ${place}, ${say('passesOn', { name: leftOf(scene, seat, names) })}.`,
  ]
}

function neighbours(scene: Scene, board: Board, island: number, say: Say): string {
  const joined = scene.lines.flatMap((line, index) => {
    const count = board.bridges[index]!
    if (!count || !line.islands.includes(island)) return []
    const other = scene.islands[otherEnd(line, island)]!
    return [placeOf(other, say) + (count === 2 ? ' (2)' : '')]
  })
  return joined.length ? `; ${say('bridgesTo', { places: joined.join('; ') })}` : ''
}

/** Who sits to the left of a seat and plays the board that it begins. */
export function leftOf(scene: Scene, seat: number, names: string[]): string {
  const left = (seat + 1) % scene.players
  return names[left] ?? String(left + 1)
}
