/** The address for invitations: others cannot open a page at this machine's loopback address. */
import { api } from './api'
import type { NetworkInfo } from './protocol'

const LOOPBACK = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/

class Network {
  /** How others reach the server; null until it has answered. */
  info = $state.raw<NetworkInfo | null>(null)
  hasFailed = $state(false)

  readonly #isLoopback = LOOPBACK.test(location.hostname)

  /** The start of links for others; empty while no link would work for them. */
  get origin(): string {
    return this.#isLoopback ? (this.info?.address ?? '') : location.origin
  }

  /** Ask the server, unless the address is known. */
  async load(): Promise<void> {
    if (!this.origin) await this.#store(api.network())
  }

  /** Make the server reachable from the local network. */
  async open(): Promise<void> {
    await this.#store(api.openNetwork())
  }

  async #store(answer: Promise<NetworkInfo>): Promise<void> {
    this.info = await answer.catch(() => null)
    this.hasFailed = this.info === null
  }
}

export const network = new Network()
