/** Checks the commitment of a match; docs/record.md has the formula. */
import { sha256 } from '@noble/hashes/sha2.js' // crypto.subtle exists only in secure contexts, not over http in a home network
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const DOMAIN = 'threespan commitment 1'

export interface Check {
  hash: string
  isKept: boolean
}

/** commitment = SHA256("threespan commitment 1" + sized(salt) + sized(secret)) */
export function checkCommitment(secret: string, salt: string, commitment: string): Check {
  const parts = concatBytes(utf8ToBytes(DOMAIN), sized(hexToBytes(salt)), sized(hexToBytes(secret)))
  const hash = bytesToHex(sha256(parts))
  return { hash, isKept: hash === commitment }
}

/** A part preceded by its length in four bytes. */
function sized(part: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, part.length)
  return concatBytes(length, part)
}
