/** The connection to a table: says hello, stays alive, comes back, and sends again what was not answered. */
import type { Bye, ClientMessage, Hello, ServerMessage, Welcome } from './protocol'
import { VERSION } from './protocol'
import { randomHex } from './random'

export type Line = 'connecting' | 'live' | 'lost' | 'ended'

type WithId = Extract<ClientMessage, { id: string }>
type Unsent<M> = M extends { id: string } ? Omit<M, 'id'> : never
export type Request = Unsent<WithId>

interface Pending {
  message: WithId
  resolve: (answer: ServerMessage) => void
}

type Greeting = Omit<Hello, 'type' | 'version'>

/** A line that was opened before there was anybody to listen, and what was heard on it. */
interface EarlyLine {
  table: string
  socket: WebSocket
  heard: ServerMessage[]
}

let early: EarlyLine | null = null

function dial(table: string, hello: () => Greeting): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${encodeURIComponent(table)}/socket`)
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', version: VERSION, ...hello() }))
  return socket
}

/** A frame holds one or more messages, one a line. */
function messagesIn(frame: string): ServerMessage[] {
  return frame.split('\n').map((line) => JSON.parse(line) as ServerMessage)
}

/** Open the line on which the first connection to a table will talk; tells the table's game as soon as it is known. */
export function openEarly(table: string, hello: Greeting): Promise<string> {
  const line: EarlyLine = { table, socket: dial(table, () => hello), heard: [] }
  early = line
  return new Promise((resolve) => {
    line.socket.onmessage = ({ data }: MessageEvent<string>) => {
      line.heard.push(...messagesIn(data))
      const welcome = line.heard.find((message) => message.type === 'welcome')
      if (welcome) resolve(welcome.table.game)
    }
  })
}

/** Ask a table who it is, without staying; null if the server cannot be reached. */
export function meet(table: string, hello: Greeting): Promise<Welcome | Bye | null> {
  return new Promise((resolve) => {
    const socket = dial(table, () => hello)
    socket.onclose = () => resolve(null)
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      for (const message of messagesIn(data)) if (message.type === 'welcome' || message.type === 'bye') resolve(message)
      socket.close()
    }
  })
}

/** The early line to a table, unless it is taken or broken. */
function takeEarly(table: string): EarlyLine | null {
  const line = early?.table === table ? early : null
  if (line) early = null
  return line && line.socket.readyState <= WebSocket.OPEN ? line : null
}

/** Reasons after which connecting again would not help. */
const FINAL = new Set(['no_table', 'wrong_key', 'other_version'])
const FIRST_WAIT = 400
const LONGEST_WAIT = 8_000
const PING_EVERY = 15_000
const SILENCE = 25_000

export class Connection {
  #socket: WebSocket | null = null
  #pending = new Map<string, Pending>()
  #waits = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #pinger: ReturnType<typeof setInterval>
  #heardAt = 0
  #isClosed = false

  constructor(
    private readonly table: string,
    private readonly hello: () => Greeting,
    private readonly hear: (message: ServerMessage) => void,
    private readonly lineChanged: (line: Line) => void,
  ) {
    this.#pinger = setInterval(() => this.#checkPulse(), PING_EVERY)
    addEventListener('online', this.#hurry)
    document.addEventListener('visibilitychange', this.#hurry)
  }

  /** Begin to talk; what was heard on an early line is told at once. */
  start(): void {
    this.#connect()
  }

  /** Ask something; the answer is `done`, `refused` or whatever belongs to it. It outlives lost connections. */
  ask(request: Request): Promise<ServerMessage> {
    const message = { ...request, id: randomHex(8) } as WithId
    return new Promise((resolve) => {
      this.#pending.set(message.id, { message, resolve })
      this.#send(message)
    })
  }

  /** Say something that needs no answer; it is lost if nobody listens. */
  tell(message: Exclude<ClientMessage, WithId>): void {
    this.#send(message)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#pinger)
    removeEventListener('online', this.#hurry)
    document.removeEventListener('visibilitychange', this.#hurry)
    this.#socket?.close()
  }

  #connect(): void {
    const line = takeEarly(this.table)
    const socket = line?.socket ?? dial(this.table, this.hello)
    this.#socket = socket
    this.#heardAt = Date.now()
    const hear = (messages: ServerMessage[]): void => messages.forEach((message) => this.#take(message))
    socket.onmessage = ({ data }: MessageEvent<string>) => hear(messagesIn(data))
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry()
    }
    if (line) hear(line.heard)
  }

  #take(message: ServerMessage): void {
    this.#heardAt = Date.now()
    if (message.type === 'welcome') {
      this.#waits = 0
      this.lineChanged('live')
    }
    if (message.type === 'bye' && FINAL.has(message.code)) {
      this.close()
      this.lineChanged('ended')
    }
    if ('id' in message) {
      const pending = this.#pending.get(message.id)
      this.#pending.delete(message.id)
      pending?.resolve(message)
    }
    this.hear(message)
    if (message.type === 'welcome') this.#pending.forEach(({ message: again }) => this.#send(again))
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #retry(): void {
    this.#socket = null
    if (this.#isClosed) return
    this.lineChanged(this.#waits ? 'lost' : 'connecting')
    const wait = Math.min(FIRST_WAIT * 2 ** this.#waits++, LONGEST_WAIT) * (0.75 + Math.random() / 2)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#connect(), wait)
  }

  #checkPulse(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    if (Date.now() - this.#heardAt > SILENCE) {
      const socket = this.#socket
      this.#retry()
      socket.close()
    } else this.#send({ type: 'ping' })
  }

  /** The network or the visitor is back: do not wait any longer. */
  #hurry = (): void => {
    if (document.hidden || this.#isClosed || this.#socket) return
    clearTimeout(this.#timer)
    this.#connect()
  }
}
