import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeSocket } from '../../testing/fake-socket'
import { notice, TABLE, update, welcome } from '../../testing/messages'
import type { ServerMessage } from './protocol'
import { VERSION } from './protocol'
import { Connection, type ConnectionState, fetchWelcome, connectEarly } from './socket'

const HELLO = { key: 'secret', language: 'en', seat: 0 }
const WELCOME = welcome(null)

let heard: ServerMessage[]
let states: ConnectionState[]
let connection: Connection

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5) // the middle of the spread around a wait
  FakeSocket.install()
  heard = []
  states = []
  connection = newConnection()
})

afterEach(() => {
  connection.close()
  vi.useRealTimers()
})

function newConnection(): Connection {
  return new Connection(
    TABLE,
    () => HELLO,
    (message) => heard.push(message),
    (state) => states.push(state),
  )
}

/** Connect, with everything that belongs to it. */
function connect(): FakeSocket {
  connection.start()
  return greet()
}

function greet(): FakeSocket {
  const socket = FakeSocket.last
  socket.open()
  socket.receive(WELCOME)
  return socket
}

/** How many milliseconds pass until somebody tries to connect again. */
function waitForRetry(): number {
  const before = FakeSocket.all.length
  const start = Date.now()
  while (FakeSocket.all.length === before && Date.now() - start < 60_000) vi.advanceTimersToNextTimer()
  return Date.now() - start
}

describe('connecting', () => {
  test('begins with hello, at the table of this server', () => {
    connection.start()
    expect(FakeSocket.last.url).toBe(`ws://localhost:8000/api/tables/${TABLE}/socket`)
    expect(FakeSocket.last.sent).toEqual([])
    FakeSocket.last.open()
    expect(FakeSocket.last.sent).toEqual([{ type: 'hello', version: VERSION, ...HELLO }])
  })

  test('is live with the welcome', () => {
    connect()
    expect(states).toEqual(['live'])
  })

  test('tells every message of a frame, in order', () => {
    const socket = connect()
    socket.receive({ type: 'pong' }, update(0, 1, [notice(0, 'a')]))
    expect(heard.map(({ type }) => type)).toEqual(['welcome', 'pong', 'update'])
  })
})

describe('asking', () => {
  test('gives each question its own answer', async () => {
    const socket = connect()
    const first = connection.request({ type: 'undo', seat: 0 })
    const second = connection.request({ type: 'hint', seat: 0 })
    const [undo] = socket.sentOf('undo')
    const [hint] = socket.sentOf('hint')
    socket.receive({ type: 'hinted', id: hint!.id, action_texts: ['x'], sentences: ['x'] })
    socket.receive({ type: 'done', id: undo!.id })
    expect((await second).type).toBe('hinted')
    expect((await first).type).toBe('done')
  })

  test('ignores an answer that comes twice', async () => {
    const socket = connect()
    const answer = connection.request({ type: 'undo', seat: 0 })
    const { id } = socket.sentOf('undo')[0]!
    socket.receive({ type: 'done', id }, { type: 'refused', id, code: 'stale', text: '', index: null })
    expect((await answer).type).toBe('done')
    socket.drop()
    waitForRetry()
    expect(greet().sentOf('undo')).toEqual([])
  })

  test('waits for the line where there is none yet', () => {
    connection.start()
    void connection.request({ type: 'undo', seat: 0 })
    const socket = greet()
    expect(socket.sent.map(({ type }) => type)).toEqual(['hello', 'undo'])
  })

  test('asks again after a lost line, with the same id, until it is answered', async () => {
    const socket = connect()
    const answer = connection.request({ type: 'play', seat: 0, notices_seen: 3, action_texts: ['a', 'b'] })
    const [question] = socket.sentOf('play')
    for (let lost = 0; lost < 3; lost++) {
      FakeSocket.last.drop()
      waitForRetry()
      expect(greet().sentOf('play')).toEqual([question])
    }
    FakeSocket.last.receive({ type: 'done', id: question!.id })
    expect((await answer).type).toBe('done')
    FakeSocket.last.drop()
    waitForRetry()
    expect(greet().sentOf('play')).toEqual([])
  })

  test('does not ask before the welcome, which may change everything', () => {
    const socket = connect()
    void connection.request({ type: 'undo', seat: 0 })
    socket.drop()
    waitForRetry()
    FakeSocket.last.open()
    expect(FakeSocket.last.sentOf('undo')).toEqual([])
  })

  test('does not repeat what needs no answer', () => {
    connection.start()
    connection.send({ type: 'say', seat: 0, phrase: 'hello' })
    expect(greet().sentOf('say')).toEqual([])
  })
})

describe('a lost line', () => {
  test('is opened again, each time after a longer wait, up to a limit', () => {
    connect().drop()
    const waits = Array.from({ length: 7 }, () => {
      const wait = waitForRetry()
      FakeSocket.last.drop()
      return wait
    })
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 8000, 8000])
  })

  test('is opened after short waits again once there was a welcome', () => {
    connect().drop()
    for (let tries = 0; tries < 4; tries++) {
      waitForRetry()
      FakeSocket.last.drop()
    }
    waitForRetry()
    greet().drop()
    expect(waitForRetry()).toBe(400)
  })

  test('is not opened by all visitors at the same moment', () => {
    vi.mocked(Math.random).mockReturnValueOnce(0).mockReturnValueOnce(1)
    connect().drop()
    expect(waitForRetry()).toBe(300)
    FakeSocket.last.drop()
    expect(waitForRetry()).toBe(1000)
  })

  test('is called lost only when a second try has failed', () => {
    connect().drop()
    expect(states).toEqual(['live', 'connecting'])
    waitForRetry()
    FakeSocket.last.drop()
    expect(states).toEqual(['live', 'connecting', 'lost'])
    waitForRetry()
    greet()
    expect(states.at(-1)).toBe('live')
  })

  test('is noticed when nothing is heard', () => {
    const silent = connect()
    vi.advanceTimersByTime(15_000)
    expect(silent.sentOf('ping')).toHaveLength(1)
    vi.advanceTimersByTime(15_000)
    expect(silent.readyState).toBe(FakeSocket.CLOSING)
    waitForRetry()
    expect(FakeSocket.all).toHaveLength(2)
  })

  test('is kept while the server answers pings', () => {
    const socket = connect()
    for (let minute = 0; minute < 8; minute++) {
      vi.advanceTimersByTime(15_000)
      socket.receive({ type: 'pong' })
    }
    expect(FakeSocket.all).toHaveLength(1)
    expect(socket.sentOf('ping')).toHaveLength(8)
  })

  test('has nothing to say any more once it was given up', () => {
    const silent = connect()
    vi.advanceTimersByTime(30_000)
    waitForRetry()
    greet()
    const before = heard.length
    silent.receive(update(0, 1, [notice(0, 'stale')]))
    silent.drop()
    expect(heard).toHaveLength(before)
    vi.advanceTimersByTime(10_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  test('is opened at once when the network or the visitor is back', () => {
    connect().drop()
    dispatchEvent(new Event('online'))
    expect(FakeSocket.all).toHaveLength(2)
    FakeSocket.last.drop()
    document.dispatchEvent(new Event('visibilitychange'))
    expect(FakeSocket.all).toHaveLength(3)
    dispatchEvent(new Event('online')) // somebody is trying already
    expect(FakeSocket.all).toHaveLength(3)
  })
})

describe('the end', () => {
  test('comes when the server says that trying again would not help', () => {
    const socket = connect()
    socket.receive({ type: 'bye', code: 'no_table', text: '' })
    socket.drop()
    vi.advanceTimersByTime(60_000)
    dispatchEvent(new Event('online'))
    expect(FakeSocket.all).toHaveLength(1)
    expect(states.at(-1)).toBe('ended')
  })

  test('does not come when a server is restarted', () => {
    const socket = connect()
    socket.receive({ type: 'bye', code: 'stopping', text: '' })
    socket.drop()
    expect(waitForRetry()).toBe(400)
  })

  test('comes when the page leaves the table', () => {
    const socket = connect()
    connection.close()
    expect(socket.readyState).toBe(FakeSocket.CLOSING)
    socket.drop()
    vi.advanceTimersByTime(60_000)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(FakeSocket.all).toHaveLength(1)
  })
})

describe('a line that was opened early', () => {
  test('tells the game, and is taken over with all that was heard', async () => {
    const game = connectEarly(TABLE, HELLO)
    const socket = greet()
    socket.receive({ type: 'pong' })
    expect(await game).toBe('made-up')
    connection.start()
    expect(FakeSocket.all).toHaveLength(1)
    expect(heard.map(({ type }) => type)).toEqual(['welcome', 'pong'])
    socket.receive({ type: 'pong' })
    expect(heard).toHaveLength(3)
  })

  test('is taken over once', () => {
    void connectEarly(TABLE, HELLO)
    greet()
    connection.start()
    const other = newConnection()
    other.start()
    expect(FakeSocket.all).toHaveLength(2)
    other.close()
  })

  test('is left alone if it broke, or leads to another table', () => {
    void connectEarly(TABLE, HELLO)
    greet().drop()
    connection.start()
    expect(FakeSocket.all).toHaveLength(2)
    expect(heard).toEqual([])
    void connectEarly('other', HELLO)
    const another = newConnection()
    another.start()
    expect(FakeSocket.all).toHaveLength(4)
    another.close()
  })
})

describe('asking a table who it is', () => {
  test('ends with its welcome', async () => {
    const answer = fetchWelcome(TABLE, HELLO)
    const socket = greet()
    expect(await answer).toEqual(WELCOME)
    expect(socket.readyState).toBe(FakeSocket.CLOSING)
  })

  test('ends with what the server says instead', async () => {
    const answer = fetchWelcome(TABLE, HELLO)
    FakeSocket.last.open()
    FakeSocket.last.receive({ type: 'bye', code: 'no_table', text: 'There is no such table.' })
    expect(await answer).toMatchObject({ code: 'no_table' })
  })

  test('ends with nothing if nobody answers', async () => {
    const answer = fetchWelcome(TABLE, HELLO)
    FakeSocket.last.drop()
    expect(await answer).toBeNull()
  })
})
