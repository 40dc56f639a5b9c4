/** The WebSocket connection to a table: it reconnects, and repeats requests that were not answered. */
import type { Bye, ClientMessage, Hello, ServerMessage, Welcome } from './protocol'
import { VERSION } from './protocol'
import { randomHex } from './random'

export type ConnectionState = 'connecting' | 'live' | 'lost' | 'ended'

type WithId = Extract<ClientMessage, { id: string }>
type Unsent<M> = M extends { id: string } ? Omit<M, 'id'> : never
export type Request = Unsent<WithId>

interface Pending {
  message: WithId
  resolve: (answer: ServerMessage) => void
}

type Greeting = Omit<Hello, 'type' | 'version'>

/** A socket that was opened before the rest of the page was loaded, and the messages it has received. */
interface EarlySocket {
  table: string
  socket: WebSocket
  received: ServerMessage[]
}

let early: EarlySocket | null = null

function openSocket(table: string, hello: () => Greeting): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${encodeURIComponent(table)}/socket`)
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', version: VERSION, ...hello() }))
  return socket
}

/** A frame holds one or more messages, one a line. */
function messagesIn(frame: string): ServerMessage[] {
  return frame.split('\n').map((line) => JSON.parse(line) as ServerMessage)
}

/** Open the socket that the first connection to this table will use; returns the table's game once the server has told. */
export function connectEarly(table: string, hello: Greeting): Promise<string> {
  const opened: EarlySocket = { table, socket: openSocket(table, () => hello), received: [] }
  early = opened
  return new Promise((resolve) => {
    opened.socket.onmessage = ({ data }: MessageEvent<string>) => {
      opened.received.push(...messagesIn(data))
      const welcome = opened.received.find((message) => message.type === 'welcome')
      if (welcome) resolve(welcome.table.game)
    }
  })
}

/** The first answer of a table, without staying connected; null if the server cannot be reached. */
export function fetchWelcome(table: string, hello: Greeting): Promise<Welcome | Bye | null> {
  return new Promise((resolve) => {
    const socket = openSocket(table, () => hello)
    socket.onclose = () => resolve(null)
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      for (const message of messagesIn(data)) if (message.type === 'welcome' || message.type === 'bye') resolve(message)
      socket.close()
    }
  })
}

/** The early socket of a table, unless it is in use or broken. */
function takeEarly(table: string): EarlySocket | null {
  const found = early?.table === table ? early : null
  if (found) early = null
  return found && found.socket.readyState <= WebSocket.OPEN ? found : null
}

/** Reasons after which reconnecting would not help. */
const FINAL_CODES = new Set(['no_table', 'wrong_key', 'other_version'])
const MIN_RETRY_MS = 400
const MAX_RETRY_MS = 8_000
const PING_EVERY_MS = 15_000
const MAX_SILENCE_MS = 25_000

export class Connection {
  #socket: WebSocket | null = null
  #pending = new Map<string, Pending>()
  #retries = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #pingTimer: ReturnType<typeof setInterval>
  #lastMessageAt = 0
  #isClosed = false

  constructor(
    private readonly table: string,
    private readonly hello: () => Greeting,
    private readonly onMessage: (message: ServerMessage) => void,
    private readonly onStateChange: (state: ConnectionState) => void,
  ) {
    this.#pingTimer = setInterval(() => this.#pingOrReconnect(), PING_EVERY_MS)
    addEventListener('online', this.#retryNow)
    document.addEventListener('visibilitychange', this.#retryNow)
  }

  /** Connect; messages that an early socket has received are handled at once. */
  start(): void {
    this.#connect()
  }

  /** Send a request and wait for its answer; it is repeated after a lost connection. */
  request(request: Request): Promise<ServerMessage> {
    const message: WithId = { ...request, id: randomHex(8) }
    return new Promise((resolve) => {
      this.#pending.set(message.id, { message, resolve })
      this.#send(message)
    })
  }

  /** Send a message that needs no answer; it is lost while there is no connection. */
  send(message: Exclude<ClientMessage, WithId>): void {
    this.#send(message)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retryTimer)
    clearInterval(this.#pingTimer)
    removeEventListener('online', this.#retryNow)
    document.removeEventListener('visibilitychange', this.#retryNow)
    this.#socket?.close()
    this.#socket = null
  }

  #connect(): void {
    const earlySocket = takeEarly(this.table)
    const socket = earlySocket?.socket ?? openSocket(this.table, this.hello)
    this.#socket = socket
    this.#lastMessageAt = Date.now()
    const receive = (messages: ServerMessage[]): void => messages.forEach((message) => this.#receive(message))
    // A socket that was given up may still deliver messages; the next one gets them as well.
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (this.#socket === socket) receive(messagesIn(data))
    }
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry()
    }
    if (earlySocket) receive(earlySocket.received)
  }

  #receive(message: ServerMessage): void {
    this.#lastMessageAt = Date.now()
    if (message.type === 'welcome') {
      this.#retries = 0
      this.onStateChange('live')
    }
    if (message.type === 'bye' && FINAL_CODES.has(message.code)) {
      this.close()
      this.onStateChange('ended')
    }
    if ('id' in message) {
      const pending = this.#pending.get(message.id)
      this.#pending.delete(message.id)
      pending?.resolve(message)
    }
    this.onMessage(message)
    if (message.type === 'welcome') this.#pending.forEach(({ message: unanswered }) => this.#send(unanswered))
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #retry(): void {
    this.#socket = null
    if (this.#isClosed) return
    this.onStateChange(this.#retries ? 'lost' : 'connecting')
    const wait = Math.min(MIN_RETRY_MS * 2 ** this.#retries++, MAX_RETRY_MS) * (0.75 + Math.random() / 2)
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => this.#connect(), wait)
  }

  #pingOrReconnect(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    if (Date.now() - this.#lastMessageAt > MAX_SILENCE_MS) {
      const socket = this.#socket
      this.#retry()
      socket.close()
    } else this.#send({ type: 'ping' })
  }

  /** The network or the visitor is back: do not wait for the timer. */
  #retryNow = (): void => {
    if (document.hidden || this.#isClosed || this.#socket) return
    clearTimeout(this.#retryTimer)
    this.#connect()
  }
}
