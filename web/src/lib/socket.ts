/** The connection to a table: says hello, stays alive, comes back, and sends again what was not answered. */
import type { ClientMessage, Hello, ServerMessage } from './protocol'
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
    private readonly hello: () => Omit<Hello, 'type' | 'version'>,
    private readonly hear: (message: ServerMessage) => void,
    private readonly lineChanged: (line: Line) => void,
  ) {
    this.#pinger = setInterval(() => this.#checkPulse(), PING_EVERY)
    addEventListener('online', this.#hurry)
    document.addEventListener('visibilitychange', this.#hurry)
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
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${encodeURIComponent(this.table)}/socket`)
    this.#socket = socket
    this.#heardAt = Date.now()
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', version: VERSION, ...this.hello() }))
    // A frame holds one or more messages, one a line.
    socket.onmessage = (event: MessageEvent<string>) => {
      for (const line of event.data.split('\n')) this.#take(JSON.parse(line) as ServerMessage)
    }
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry()
    }
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
