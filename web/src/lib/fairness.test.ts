import { expect, test } from 'vitest'
import { checkCommitment } from './fairness'

/** As `threespan.core.chance.commitment` computes it from these bytes. */
const SECRET = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const SALT = '6465666768696a6b6c6d6e6f70717273'
const COMMITMENT = 'a6949ab01906d52e69fa6e1de9150f6cb3fbaced9e828b8462fa4229103edc01'

test('a kept promise is recognised', () => {
  expect(checkCommitment(SECRET, SALT, COMMITMENT)).toEqual({ hash: COMMITMENT, isKept: true })
})

test.each([
  ['another secret', SECRET.replace('00', '01'), SALT],
  ['another salt', SECRET, SALT.replace('64', '65')],
  ['a byte that went from the secret to the salt', SECRET.slice(2), `${SALT}00`],
])('%s breaks it', (_, secret, salt) => {
  expect(checkCommitment(secret, salt, COMMITMENT).isKept).toBe(false)
})
