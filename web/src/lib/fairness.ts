/** The promise of a fair match: docs/record.md has the formula. */
import { sha256 } from './sha256'

export interface Check {
  hash: string
  isKept: boolean
}

/** commitment = SHA256("threespan commitment 1" + sized(salt) + sized(secret)) */
export async function checkCommitment(secret: string, salt: string, commitment: string): Promise<Check> {
  const domain = new TextEncoder().encode('threespan commitment 1')
  const hash = toHex(await digest(joined([domain, sized(fromHex(salt)), sized(fromHex(secret))])))
  return { hash, isKept: hash === commitment }
}

/** Browsers hash for us only over a secure connection; at home there may be none. */
async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return sha256(bytes)
}

/** A part with its length before it, as four bytes. */
function sized(part: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, part.length)
  return joined([length, part])
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
