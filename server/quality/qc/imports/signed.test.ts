import { createHash, createHmac } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readSigned } from './signed.ts'

const now = new Date()
const time = Math.floor(now.getTime() / 1000)
const sum = createHash('sha256').update('{}').digest('hex')
const signature = createHmac('sha256', 'key').update(`${time}.${sum}`).digest('hex')
const signed = { time, signature, key: 'key', now, ip: '192.0.2.1' }

it('a body is not read for an unknown source, a wrong time or a text that is no signature', async () => {
  // biome-ignore lint/correctness/useYield: reading it is the failure
  const unread = async function* (): AsyncGenerator<Uint8Array> {
    throw new Error('the body was read')
  }
  for (const wrong of [{ key: undefined }, { time: time - 400 }, { signature: '00' }])
    await expect(readSigned(unread(), { ...signed, ...wrong })).rejects.toMatchObject({ status: 401 })
})

it('a network has at most two bodies in memory, and others are not refused for them', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const slow = async function* () {
    yield Buffer.from('{')
    await end
    yield Buffer.from('}')
  }
  const held = [readSigned(slow(), signed), readSigned(slow(), signed)]
  await turn()
  await expect(readSigned(slow(), signed)).rejects.toMatchObject({ status: 429, isLogged: false })
  held.push(readSigned(slow(), { ...signed, ip: '192.0.2.2' }))
  resolve()
  for (const one of held) expect(String(await one)).toBe('{}')
  expect(String(await readSigned(slow(), signed))).toBe('{}')
})
