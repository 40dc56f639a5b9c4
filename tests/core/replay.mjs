// Repeats the calls of a digest (digest.py describes the file) with libraries for WebAssembly, and compares every byte:
//
//     node replay.mjs DIGEST RULES_LIBRARY BOTS_LIBRARY
//
// Prints how many calls agree; exits with 1 at the first one that does not.

import { readFileSync } from 'node:fs'

const MAGIC = '3SPAN-DIGEST-1\0\0'
const NO_RESULT = 0
const PAGE = 65536
const STACK = 16 * PAGE

const [digestFile, ...libraryFiles] = process.argv.slice(2)
const digest = readFileSync(digestFile)
let position = 0

const memory = new WebAssembly.Memory({ initial: 64 })
const slots = []
let used = STACK; // the stack grows down to 0

function readU8() {
  return digest[position++]
}

function readU32() {
  position += 4
  return digest.readUInt32LE(position - 4)
}

function readI64() {
  position += 8
  return digest.readBigInt64LE(position - 8)
}

function readBytes(length) {
  position += length
  return digest.subarray(position - length, position)
}

/** Reserves memory, which is full of zeros. */
function allocate(size) {
  const address = Math.ceil(used / 64) * 64
  used = address + size
  const missing = used - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  return address
}

/** How much memory the constants of a library need: the first numbers of its section `dylink.0`. */
function sizeOfConstants(module) {
  const section = new Uint8Array(WebAssembly.Module.customSections(module, 'dylink.0')[0])
  let [at, size, shift] = [2, 0, 0]
  for (let more = true; more; at++, shift += 7) {
    size |= (section[at] & 0x7f) << shift
    more = section[at] >= 0x80
  }
  return size
}

function textLength(address) {
  return new Uint8Array(memory.buffer).indexOf(0, address) - address
}

async function load(file) {
  const module = await WebAssembly.compile(readFileSync(file))
  const env = {
    memory,
    strlen: textLength,
    __stack_pointer: new WebAssembly.Global({ value: 'i32', mutable: true }, STACK),
    __memory_base: new WebAssembly.Global({ value: 'i32' }, allocate(sizeOfConstants(module))),
    __table_base: new WebAssembly.Global({ value: 'i32' }, 0),
  }
  const { exports } = await WebAssembly.instantiate(module, { env })
  exports.__wasm_apply_data_relocs?.()
  exports.__wasm_call_ctors?.()
  return exports
}

function findSlot(index, size) {
  slots[index] ??= { address: allocate(size), size, expected: Buffer.alloc(size) }
  return slots[index]
}

/** Brings what should be in a slot up to date. */
function readPatches(slot) {
  for (let count = readU32(); count > 0; count--) {
    const offset = readU32()
    readBytes(readU32()).copy(slot.expected, offset)
  }
}

function readArgument() {
  if (readU8() === 0) return { value: readI64() }
  const slot = findSlot(readU32(), readU32())
  readPatches(slot)
  return { value: slot.address, slot }
}

/** Repeats the next call; returns what differs, if anything does. */
function replay(libraries) {
  const [part, result, count, length] = readBytes(4)
  const symbol = readBytes(length).toString()
  const given = Array.from({ length: count }, readArgument)
  const buffers = given.flatMap(({ slot }) => slot ?? [])
  for (const slot of buffers) slot.expected.copy(new Uint8Array(memory.buffer), slot.address)
  const value = libraries[part][symbol](...given.map(({ value }) => value))
  const expected = readI64()
  if (result !== NO_RESULT && BigInt(value) !== expected) return `${symbol}: ${value} instead of ${expected}`
  for (const slot of buffers) {
    readPatches(slot)
    if (slot.expected.compare(new Uint8Array(memory.buffer, slot.address, slot.size)) !== 0)
      return `${symbol}: memory differs`
  }
  return ''
}

const libraries = []
for (const file of libraryFiles) libraries.push(await load(file))
if (readBytes(MAGIC.length).toString() !== MAGIC) throw new Error(`${digestFile} is no digest`)
const calls = Number(readI64())
for (let index = 0; index < calls; index++) {
  const difference = replay(libraries)
  if (difference) {
    console.log(`call ${index}, ${difference}\n${index} of ${calls} calls agree`)
    process.exit(1)
  }
}
console.log(`${calls} of ${calls} calls agree`)
