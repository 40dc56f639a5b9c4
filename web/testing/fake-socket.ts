/** A WebSocket whose other end is the test: it says when the line opens, what arrives, and when it breaks. */
import { vi } from 'vitest'
import type { ClientMessage, ServerMessage } from '../src/lib/protocol'

export class FakeSocket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  /** All that were opened, the newest last. */
  static all: FakeSocket[] = []

  readyState: number = FakeSocket.CONNECTING
  readonly sent: ClientMessage[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null

  constructor(readonly url: string) {
    FakeSocket.all.push(this)
  }

  /** Let the page use these instead of real ones. */
  static install(): void {
    FakeSocket.all = []
    vi.stubGlobal('WebSocket', FakeSocket)
  }

  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1)
    if (!last) throw new Error('nobody has opened a socket')
    return last
  }

  /** The messages of one type that were sent. */
  sentOf<Type extends ClientMessage['type']>(type: Type): Extract<ClientMessage, { type: Type }>[] {
    return this.sent.filter((message) => message.type === type) as Extract<ClientMessage, { type: Type }>[]
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data) as ClientMessage)
  }

  /** The page closes it; browsers say so later, and what was on its way still arrives. */
  close(): void {
    if (this.readyState < FakeSocket.CLOSING) this.readyState = FakeSocket.CLOSING
  }

  // The other end

  open(): void {
    this.readyState = FakeSocket.OPEN
    this.onopen?.()
  }

  /** Messages arrive in one frame. */
  receive(...messages: ServerMessage[]): void {
    this.onmessage?.({ data: messages.map((message) => JSON.stringify(message)).join('\n') })
  }

  /** The line is gone. */
  drop(): void {
    this.readyState = FakeSocket.CLOSED
    this.onclose?.()
  }
}
