/** Splits an update into stages that are shown one after the other: a turn, then what chance does for the next player. */
import type { PaceName } from './stored-settings'
import type { Notice, Update } from './protocol'
import { CHANCE } from './seats'

export interface Stage {
  update: Update
  /** What chance has done for the next turn: the view contains it already, but it is shown with the next stage. */
  notYetShown: string[]
}

/** How long the actions of others stay on the screen, and how much longer for each step of a path. */
const SHOW_MS = 900
const STEP_MS = 200

const FACTORS: Record<PaceName, number> = { slow: 2, normal: 1, fast: 0.4, off: 0 }

/** The stages of an update for whoever plays the seats `own`. */
export function stagesOf(update: Update, own: number[], pace: PaceName): Stage[] {
  const whole = { update, notYetShown: [] }
  const { notices, now } = update
  const end = notices.findLastIndex((notice) => notice.seat !== CHANCE) + 1
  const actor = notices[end - 1]?.seat
  const [next, ...more] = now.acting
  const isNextTurn = next !== undefined && !more.length && next !== actor
  if (pace === 'off' || actor === undefined || own.includes(actor) || end === notices.length || !isNextTurn)
    return [whole]
  const forNextTurn = notices.slice(end)
  const turn = {
    ...stillActing(update, actor),
    notice_count: update.notice_count - forNextTurn.length,
    notices: notices.slice(0, end),
  }
  return [
    { update: turn, notYetShown: forNextTurn.map((notice) => notice.action_text) },
    { update: { ...update, notices: forNextTurn }, notYetShown: [] },
  ]
}

/** The update as though it were still the turn of whoever has just acted. */
function stillActing(update: Update, actor: number): Update {
  const now = { ...update.now, acting: [actor], legal: [], labels: [], buttons: [], prompt: '' }
  return { ...update, now, clocks: [], may_undo: false, may_request_undo: false, may_doubt: false }
}

/** How many milliseconds to show a stage before the next one; only what concerns others takes time. */
export function durationOf({ update: { notices, now } }: Stage, own: number[], pace: PaceName): number {
  const isOthers = ({ seat }: Notice): boolean =>
    !(seat === CHANCE ? now.acting : [seat]).some((one) => own.includes(one))
  const seen = notices.filter(isOthers)
  const steps = seen.reduce((sum, { path }) => sum + path.length, 0)
  return seen.length ? FACTORS[pace] * (SHOW_MS + STEP_MS * steps) : 0
}
