/** Messages of a server about a made-up game, with only what a test is about spelled out. */
import type { Notice, SeatInfo, ServerMessage, Situation, TableInfo, Update, Welcome } from '../src/lib/protocol'

export const TABLE = 'abc123'

export function seatInfo(changes: Partial<SeatInfo> = {}): SeatInfo {
  return { kind: 'here', name: '', level: '', has_joined: true, is_connected: true, ...changes }
}

export function tableInfo(changes: Partial<TableInfo> = {}): TableInfo {
  return {
    id: TABLE,
    game: 'made-up',
    options: {},
    status: 'playing',
    is_public: false,
    clock: 0,
    seats: [seatInfo(), seatInfo({ kind: 'bot', name: 'Bo', level: 'easy' })],
    commitment: '',
    shares: [],
    created_at: 0,
    rematch_of: '',
    rematch: '',
    acting: [],
    resigned: [],
    is_ended: false,
    bots_are_loading: false,
    ...changes,
  }
}

export function notice(seat: number, action: string, changes: Partial<Notice> = {}): Notice {
  return { seat, action_text: action, sentence: `${seat} does ${action}.`, undone: 0, path: [], group: '', ...changes }
}

export function situation(changes: Partial<Situation> = {}): Situation {
  return {
    view: { round: 1 },
    acting: [0],
    scores: [0, 0],
    legal: [],
    prompt: '',
    buttons: [],
    labels: [],
    lines: [],
    ...changes,
  }
}

/** An update for a seat; `count` counts all notices that there are by now. */
export function update(seat: number, count: number, notices: Notice[], now: Partial<Situation> = {}): Update {
  return {
    type: 'update',
    seat,
    notice_count: count,
    notices,
    now: situation(now),
    clocks: [],
    may_undo: false,
    may_request_undo: false,
    may_check: false,
    may_doubt: false,
    undo_request: null,
    result: null,
  }
}

export function welcome(first: Update | null, changes: Partial<Welcome> = {}): Welcome {
  return { type: 'welcome', version: 1, table: tableInfo(), own_seats: [0], scene: {}, update: first, ...changes }
}

export function preview(id: string, now: Partial<Situation> = {}, isComplete = false): ServerMessage {
  return { type: 'preview', id, now: situation(now), is_complete: isComplete }
}

export function refused(id: string, code: string, index: number | null = null): ServerMessage {
  return { type: 'refused', id, code, text: `refused: ${code}`, index }
}
