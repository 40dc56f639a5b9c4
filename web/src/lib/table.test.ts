import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeSocket } from '../../testing/fake-socket'
import { notice, preview, refused, seatInfo, TABLE, tableInfo, update, welcome } from '../../testing/messages'
import { settle } from '../../testing/settle'
import { keyOfTable, knownTable, rememberTable } from './known-tables'
import { CHANCE, WATCHER } from './seats'
import type { Notice, ServerMessage, Situation, Welcome } from './protocol'
import { settings } from './settings.svelte'
import { Table } from './table.svelte'

const OPEN_CHOICES = { legal: ['a', 'b'], labels: ['Do a', 'Do b'] }

let table: Table

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.install()
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network in tests')))
  settings.pace = 'off'
  settings.textMode = false
})

afterEach(() => {
  table.close()
  vi.useRealTimers()
})

/** Sit at a table where it is our turn, or whatever `first` says. */
function sit(first = update(0, 0, [], OPEN_CHOICES), changes: Partial<Welcome> = {}): void {
  rememberTable({ id: TABLE, key: 'secret' })
  table = new Table(TABLE)
  FakeSocket.last.open()
  receive(welcome(first, changes))
}

const receive = (...messages: ServerMessage[]): void => FakeSocket.last.receive(...messages)

/** Answer the last question of a type. */
async function answer(type: 'draft' | 'play' | 'undo', message: (id: string) => ServerMessage): Promise<void> {
  receive(message(FakeSocket.last.sentOf(type).at(-1)!.id))
  await settle()
}

/** Draft a step that the server finds fine. */
async function draft(action: string, now: Partial<Situation> = {}, isComplete = true): Promise<void> {
  table.act(action)
  await answer('draft', (id) => preview(id, now, isComplete))
}

/** The connection breaks and comes back. */
function comeBack(first: Welcome): void {
  FakeSocket.last.drop()
  vi.advanceTimersByTime(1000)
  FakeSocket.last.open()
  receive(first)
}

const actions = (notices: Notice[]): string[] => notices.map((one) => one.action_text)

describe('coming to a table', () => {
  test('says who comes and what they know', () => {
    sit()
    expect(FakeSocket.last.sentOf('hello')[0]).toMatchObject({
      key: 'secret',
      language: 'en',
      notices_seen: 0,
      text_mode: false,
    })
  })

  test('shows what the welcome tells', () => {
    sit(update(0, 2, [notice(1, 'x'), notice(CHANCE, 'roll')], OPEN_CHOICES))
    expect(table.connectionState).toBe('live')
    expect(table.seat).toBe(0)
    expect(table.isToAct).toBe(true)
    expect(table.legal).toEqual(['a', 'b'])
    expect(table.choices).toEqual([
      { action: 'a', label: 'Do a' },
      { action: 'b', label: 'Do b' },
    ])
    expect(actions(table.notices)).toEqual(['x', 'roll'])
  })

  test('remembers the table for the home screen', () => {
    sit()
    expect(knownTable(TABLE)).toMatchObject({ game: 'made-up', seats: [0], isOver: false })
  })

  test('without a key is watching', () => {
    table = new Table(TABLE)
    FakeSocket.last.open()
    receive(welcome(update(WATCHER, 0, [], OPEN_CHOICES), { own_seats: [] }))
    expect(table.isToAct).toBe(false)
    expect(table.legal).toEqual([])
    expect(knownTable(TABLE)).toBeNull()
  })

  test('with a key that opens nothing is watching, too', () => {
    sit()
    receive({ type: 'bye', code: 'wrong_key', text: 'This key opens nothing.' })
    expect(keyOfTable(TABLE)).toBe('')
    expect(FakeSocket.all).toHaveLength(2)
    FakeSocket.last.open()
    expect(FakeSocket.last.sentOf('hello')[0]?.key).toBe('')
    expect(table.refusal?.code).toBe('wrong_key')
    expect(table.failure).toBeNull()
  })

  test('that does not exist says so', () => {
    sit()
    receive({ type: 'bye', code: 'no_table', text: 'There is no such table.' })
    expect(table.failure?.text).toBe('There is no such table.')
  })
})

describe('updates', () => {
  test('add what has happened', () => {
    sit()
    receive(update(0, 1, [notice(0, 'a')], { acting: [1] }))
    receive(update(0, 3, [notice(1, 'b'), notice(CHANCE, 'c')], OPEN_CHOICES))
    expect(actions(table.notices)).toEqual(['a', 'b', 'c'])
    expect(actions(table.fresh)).toEqual(['b', 'c'])
  })

  test('that come twice change nothing', () => {
    sit()
    const twice = update(0, 2, [notice(0, 'a'), notice(1, 'b')], OPEN_CHOICES)
    receive(twice)
    receive(twice)
    expect(actions(table.notices)).toEqual(['a', 'b'])
  })

  test('that are older than what is known are ignored', () => {
    sit()
    receive(update(0, 2, [notice(0, 'a'), notice(1, 'b')], { scores: [1, 2], ...OPEN_CHOICES }))
    receive(update(0, 1, [notice(0, 'a')], { scores: [1, 0], acting: [1] }))
    expect(actions(table.notices)).toEqual(['a', 'b'])
    expect(table.now?.scores).toEqual([1, 2])
    expect(table.isToAct).toBe(true)
  })

  test('that tell everything again replace what was told', () => {
    sit(update(0, 1, [notice(0, 'a', { sentence: 'You do a.' })]))
    receive(update(0, 1, [notice(0, 'a', { sentence: 'Du tust a.' })]))
    expect(table.notices.map(({ sentence }) => sentence)).toEqual(['Du tust a.'])
  })

  test('after a lost connection go on where it was', () => {
    sit()
    receive(update(0, 2, [notice(0, 'a'), notice(1, 'b')], OPEN_CHOICES))
    comeBack(welcome(update(0, 3, [notice(1, 'c')], OPEN_CHOICES)))
    expect(FakeSocket.last.sentOf('hello')[0]).toMatchObject({ seat: 0, notices_seen: 2 })
    expect(actions(table.notices)).toEqual(['a', 'b', 'c'])
  })

  test('of other seats are kept apart', () => {
    sit(update(0, 1, [notice(0, 'a')]), { own_seats: [0, 1] })
    receive(update(1, 1, [notice(0, 'hidden')]))
    expect(actions(table.notices)).toEqual(['hidden'])
    receive(update(0, 2, [notice(1, 'b')]))
    expect(actions(table.notices)).toEqual(['a', 'b'])
  })

  test('tell who sits where, and who has resigned', () => {
    sit()
    receive({ type: 'seats', table: tableInfo({ seats: [seatInfo({ name: 'Ada' }), seatInfo({ name: 'Bo' })] }) })
    expect(table.names).toEqual(['Ada', 'Bo'])
    receive({ type: 'seats', table: tableInfo({ resigned: [0] }) })
    expect(table.isToAct).toBe(false)
    expect(table.speeches).toHaveLength(1)
    receive({ type: 'seats', table: tableInfo({ resigned: [0] }) })
    expect(table.speeches).toHaveLength(1)
    vi.advanceTimersByTime(5000)
    expect(table.speeches).toEqual([])
  })
})

describe('the turns of others', () => {
  beforeEach(() => {
    settings.pace = 'normal'
  })

  test('are shown before what chance does for the next turn', () => {
    sit(update(0, 1, [notice(0, 'own')], { acting: [1] }))
    receive(update(0, 3, [notice(1, 'theirs'), notice(CHANCE, 'roll')], OPEN_CHOICES))
    expect(actions(table.notices)).toEqual(['own', 'theirs'])
    expect(table.notYetShown).toEqual(['roll'])
    expect(table.isToAct).toBe(false)
    vi.advanceTimersByTime(900)
    expect(actions(table.notices)).toEqual(['own', 'theirs', 'roll'])
    expect(table.notYetShown).toEqual([])
    expect(table.isToAct).toBe(true)
  })

  test('stay for a moment when several come at once', () => {
    sit(update(0, 0, [], { acting: [1] }))
    receive(update(0, 1, [notice(1, 'first')], { acting: [2] }))
    receive(update(0, 2, [notice(2, 'second')], OPEN_CHOICES))
    expect(actions(table.notices)).toEqual(['first'])
    vi.advanceTimersByTime(900)
    expect(actions(table.notices)).toEqual(['first', 'second'])
  })

  test('that are waiting go with a new connection, which tells them again', () => {
    sit(update(0, 0, [], { acting: [1] }))
    receive(update(0, 1, [notice(1, 'first')], { acting: [2] }))
    receive(update(0, 2, [notice(2, 'second')], OPEN_CHOICES))
    comeBack(welcome(update(0, 2, [notice(2, 'second')], OPEN_CHOICES)))
    expect(actions(table.notices)).toEqual(['first', 'second'])
    vi.advanceTimersByTime(5000)
    expect(actions(table.notices)).toEqual(['first', 'second'])
  })
})

describe('drafting', () => {
  test('shows the table as it would be', async () => {
    sit()
    await draft('a', { legal: ['c'], scores: [5, 0] }, false)
    expect(FakeSocket.last.sentOf('draft')[0]).toMatchObject({ seat: 0, action_texts: ['a'] })
    expect(table.now?.scores).toEqual([5, 0])
    expect(table.legal).toEqual(['c'])
    expect(table.mayFinish).toBe(false)
  })

  test('can be finished once it is complete', async () => {
    sit()
    await draft('a')
    expect(table.mayFinish).toBe(true)
  })

  test('asks why something is not allowed, and changes nothing', async () => {
    sit()
    table.act('z')
    expect(table.drafted).toEqual([])
    await answer('draft', (id) => refused(id, 'NO_BRIDGE', 0))
    expect(table.refusal).toEqual({ code: 'NO_BRIDGE', text: 'refused: NO_BRIDGE' })
    table.dismissRefusal()
    expect(table.refusal).toBeNull()
  })

  test('puts another choice in the place of the last one', async () => {
    sit()
    await draft('a')
    table.act('b', [])
    expect(table.drafted).toEqual(['b'])
  })

  test('can be taken back step by step', async () => {
    sit()
    await draft('a', { legal: ['c'] }, false)
    await draft('c')
    table.undo()
    expect(table.drafted).toEqual(['a'])
    table.undo()
    expect(table.drafted).toEqual([])
    expect(FakeSocket.last.sentOf('undo')).toEqual([])
  })

  test('asks the server to take back what was played, where it may', () => {
    sit({ ...update(0, 1, [notice(0, 'a')]), may_undo: true })
    expect(table.mayUndo).toBe(true)
    table.undo()
    expect(FakeSocket.last.sentOf('undo')).toHaveLength(1)
  })

  test('is not needed for the only thing that can be done', () => {
    const roll = { action_text: 'roll', label: 'Roll', is_finisher: false, is_done: false, is_answer: false }
    sit(update(0, 0, [], { legal: ['roll'], buttons: [roll] }))
    table.act('roll')
    expect(FakeSocket.last.sentOf('draft')).toEqual([])
    expect(FakeSocket.last.sentOf('play')[0]).toMatchObject({ action_texts: ['roll'], notices_seen: 0 })
  })

  test('is needed for an answer even if there is no other: its speed must tell nothing', () => {
    const leave = { action_text: 'leave', label: 'Leave', is_finisher: false, is_done: false, is_answer: true }
    sit(update(0, 0, [], { legal: ['leave'], buttons: [leave] }))
    table.act('leave')
    expect(FakeSocket.last.sentOf('play')).toEqual([])
    expect(FakeSocket.last.sentOf('draft')[0]).toMatchObject({ action_texts: ['leave'] })
  })

  test('goes on when others do something meanwhile', async () => {
    sit(update(0, 0, [], { ...OPEN_CHOICES, acting: [0, 1] }))
    await draft('a')
    receive(update(0, 1, [notice(1, 'x')], { ...OPEN_CHOICES, acting: [0] }))
    expect(table.drafted).toEqual(['a'])
    await answer('draft', (id) => preview(id, {}, true))
    expect(table.mayFinish).toBe(true)
  })

  test('quietly drops what has become illegal', async () => {
    sit(update(0, 0, [], { ...OPEN_CHOICES, acting: [0, 1] }))
    await draft('a')
    receive(update(0, 1, [notice(1, 'x')], { ...OPEN_CHOICES, acting: [0] }))
    await answer('draft', (id) => refused(id, 'TAKEN', 0))
    expect(table.drafted).toEqual([])
    expect(table.refusal).toBeNull()
  })

  test('ends when it is no longer our turn', async () => {
    sit()
    await draft('a')
    receive(update(0, 1, [notice(0, 'b')], { acting: [1] }))
    expect(table.drafted).toEqual([])
    expect(table.now?.acting).toEqual([1])
  })

  test('survives a lost connection', async () => {
    sit()
    await draft('a')
    comeBack(welcome(update(0, 0, [], OPEN_CHOICES)))
    expect(table.drafted).toEqual(['a'])
  })

  test('survives loading the page anew, if nothing has happened since', async () => {
    sit()
    await draft('a')
    table.close()
    sit()
    expect(table.drafted).toEqual(['a'])
    table.close()
    sit(update(0, 1, [notice(1, 'x')], OPEN_CHOICES))
    expect(table.drafted).toEqual([])
  })
})

describe('playing', () => {
  test('sends the whole draft, and what was known', async () => {
    sit(update(0, 1, [notice(1, 'x')], OPEN_CHOICES))
    await draft('a')
    table.done()
    expect(FakeSocket.last.sentOf('play')[0]).toMatchObject({ seat: 0, notices_seen: 1, action_texts: ['a'] })
    expect(table.isBusy).toBe(true)
    expect(table.legal).toEqual([])
    expect(table.mayFinish).toBe(false)
    receive(update(0, 2, [notice(0, 'a')], { acting: [1] }))
    await answer('play', (id) => ({ type: 'done', id }))
    expect(table.isBusy).toBe(false)
    expect(table.drafted).toEqual([])
    expect(actions(table.notices)).toEqual(['x', 'a'])
  })

  test('sends nothing before the draft is complete', async () => {
    sit()
    await draft('a', {}, false)
    table.done()
    expect(FakeSocket.last.sentOf('play')).toEqual([])
  })

  test('is sent again after a lost connection, once', async () => {
    sit()
    await draft('a')
    table.done()
    const [sent] = FakeSocket.last.sentOf('play')
    comeBack(welcome(update(0, 1, [notice(0, 'a')], { acting: [1] })))
    expect(FakeSocket.last.sentOf('play')).toEqual([sent])
    await answer('play', (id) => ({ type: 'done', id }))
    expect(table.isBusy).toBe(false)
    expect(actions(table.notices)).toEqual(['a'])
  })

  test('goes back to the step that was refused', async () => {
    sit()
    await draft('a', { legal: ['c'] }, false)
    await draft('c')
    table.done()
    await answer('play', (id) => refused(id, 'NO_BRIDGE', 1))
    expect(table.isBusy).toBe(false)
    expect(table.refusal?.code).toBe('NO_BRIDGE')
    expect(table.drafted).toEqual(['a'])
  })

  test('keeps the draft when something has happened meanwhile', async () => {
    sit()
    await draft('a')
    table.done()
    await answer('play', (id) => refused(id, 'stale'))
    expect(table.drafted).toEqual(['a'])
    expect(FakeSocket.last.sentOf('draft').at(-1)?.action_texts).toEqual(['a'])
  })
})

describe('hints', () => {
  test('are for those who play against bots alone', () => {
    sit()
    expect(table.mayHint).toBe(true)
    receive({ type: 'seats', table: tableInfo({ seats: [seatInfo(), seatInfo({ kind: 'link' })] }) })
    expect(table.mayHint).toBe(false)
  })

  test('can be taken into the draft', async () => {
    sit()
    const asked = table.askHint()
    expect(table.isThinking).toBe(true)
    const { id } = FakeSocket.last.sentOf('hint')[0]!
    receive({ type: 'hinted', id, action_texts: ['a'], sentences: ['Do a'] })
    await asked
    expect(table.hint).toEqual({ actions: ['a'], sentences: ['Do a'] })
    table.takeHint()
    expect(table.drafted).toEqual(['a'])
    expect(table.draft.labels).toEqual(['Do a'])
    expect(table.hint).toBeNull()
  })

  test('go when something happens', async () => {
    sit()
    const asked = table.askHint()
    receive({ type: 'hinted', id: FakeSocket.last.sentOf('hint')[0]!.id, action_texts: ['a'], sentences: ['Do a'] })
    await asked
    receive(update(0, 1, [notice(1, 'x')], OPEN_CHOICES))
    expect(table.hint).toBeNull()
  })
})

describe('looking back', () => {
  test('shows an earlier moment, in which nothing can be done', async () => {
    sit(update(0, 2, [notice(0, 'a'), notice(1, 'b')], OPEN_CHOICES))
    const looking = table.lookBack(1)
    const { id, notice_count } = FakeSocket.last.sentOf('past')[0]!
    expect(notice_count).toBe(1)
    receive({ type: 'past', id, notice_count, view: { round: 0 }, lines: ['then'] })
    await looking
    expect(table.past?.view).toEqual({ round: 0 })
    expect(table.lines).toEqual(['then'])
    expect(actions(table.news)).toEqual(['a'])
    expect(table.isToAct).toBe(false)
    await table.lookBack(null)
    expect(table.isToAct).toBe(true)
  })

  test('ends at the last notice', async () => {
    sit(update(0, 2, [notice(0, 'a'), notice(1, 'b')], OPEN_CHOICES))
    await table.lookBack(2)
    expect(table.past).toBeNull()
    expect(FakeSocket.last.sentOf('past')).toEqual([])
  })
})

describe('a device that is passed on', () => {
  const TWO = { own_seats: [0, 1], table: tableInfo({ seats: [seatInfo(), seatInfo()] }) }

  test('is covered until the next player has it', () => {
    sit(update(WATCHER, 0, [], { acting: [0] }), TWO)
    expect(table.device.covered).toBe(0)
    table.device.uncover()
    expect(FakeSocket.last.sentOf('switch_view').at(-1)).toMatchObject({ seat: 0 })
    receive(update(0, 0, [], OPEN_CHOICES))
    expect(table.device.covered).toBeNull()
    expect(table.isToAct).toBe(true)
    receive(update(0, 1, [notice(0, 'a')], { acting: [1] }))
    expect(table.device.covered).toBe(1)
    expect(FakeSocket.last.sentOf('switch_view').at(-1)).toMatchObject({ seat: WATCHER })
  })

  test('stays open with the last one who has not resigned', () => {
    sit(update(0, 0, [], { acting: [1] }), { ...TWO, table: { ...TWO.table, resigned: [1] } })
    table.device.uncover()
    receive(update(0, 1, [notice(1, 'a')], { acting: [1] }))
    expect(table.device.covered).toBeNull()
  })
})
