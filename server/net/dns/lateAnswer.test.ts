import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { askSerial, LATE } from './actions.ts'

/** A busy name server: its answer comes after the first question was given up. */
const LATE_AFTER_MS = 4500

it('takes the answer of a name server that answers late', async () => {
  const server = createSocket('udp4')
  let questions = 0
  server.on('message', (question, { port, address }) => {
    questions += 1
    setTimeout(() => server.send(answerTo(question), port, address), LATE_AFTER_MS)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a UDP socket
  expect(await askSerial(`127.0.0.1:${port}`, 'late.example')).toMatch(/TIMEOUT/)
  questions = 0
  expect(await askSerial(`127.0.0.1:${port}`, 'late.example', { tries: LATE })).toBe(77)
  expect(questions).toBeGreaterThan(1)
  server.close()
})

/** The same question with an SOA record of serial 77. */
function answerTo(question: Buffer): Buffer {
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8400, 2)
  head.writeUInt16BE(1, 6)
  head.writeUInt16BE(0, 10)
  const end = question.indexOf(0, 12) + 5
  const names = Buffer.from([1, 97, 0, 1, 98, 0])
  const numbers = Buffer.alloc(20)
  numbers.writeUInt32BE(77)
  const record = Buffer.from([0xc0, 12, 0, 6, 0, 1, 0, 0, 0, 60, 0, names.length + numbers.length])
  return Buffer.concat([head, question.subarray(12, end), record, names, numbers])
}
