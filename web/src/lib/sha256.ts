/** SHA-256 (FIPS 180-4), for browsers that do not offer theirs. */

const FRACTION = 2 ** 32

/** The first 32 bits of the fractions of the square or cube roots of the first primes. */
function rootFractions(count: number, power: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    let isPrime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false
    if (isPrime) found.push(((n ** power % 1) * FRACTION) | 0)
  }
  return found
}

const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n))

export function sha256(message: Uint8Array): Uint8Array {
  const constants = rootFractions(64, 1 / 3)
  const hash = rootFractions(8, 1 / 2)
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const words = new DataView(padded.buffer)
  words.setUint32(padded.length - 4, message.length * 8)
  for (let block = 0; block < padded.length; block += 64) mixBlock(hash, constants, words, block)
  const result = new DataView(new ArrayBuffer(32))
  hash.forEach((word, index) => result.setInt32(index * 4, word))
  return new Uint8Array(result.buffer)
}

function mixBlock(hash: number[], constants: number[], words: DataView, block: number): void {
  const w = new Int32Array(64)
  for (let i = 0; i < 64; i++) {
    if (i < 16) w[i] = words.getInt32(block + i * 4)
    else {
      const a = w[i - 15]!
      const b = w[i - 2]!
      w[i] = w[i - 16]! + w[i - 7]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
    }
  }
  let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) | 0
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index] = (hash[index]! + word) | 0))
}
