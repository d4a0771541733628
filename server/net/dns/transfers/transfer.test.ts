import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { parseZoneFile } from '@innkeeper/contract/net/dns/zoneFile'
import { afterEach, expect, it, vi } from 'vitest'
import { reachOf } from '../../../kit/outgoing/reach.ts'
import { recorded } from './test/recorded.ts'
import { transfer } from './transfer.ts'
import type { TransferKey } from './tsig.ts'

const log = { warn: () => {} }
const reach = reachOf({ settings: { privateTargets: ['127.0.0.1'], port: 1, agentPort: 2, previewPort: 3 }, log })
const { key, domain, now, random, bytes } = recorded
afterEach(() => void vi.restoreAllMocks())

/** Asks a server that answers with these bytes and hangs up. */
async function answered(answer: Buffer, { by, most = 4_000_000 }: { by?: TransferKey; most?: number } = {}) {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  try {
    return await transfer(reach, { domain, host: '127.0.0.1', port, key: by }, most, () => now)
  } finally {
    server.close()
  }
}
/** Without questions and records. */
const refusal = (code: number) => Buffer.from([0, 12, 0, 1, 0x84, code, 0, 0, 0, 0, 0, 0, 0, 0])

it('reads a signed zone of BIND, whose lines a zone file takes', async () => {
  const { lines, serial, signed } = await answered(bytes, { by: key })
  expect([serial, signed]).toEqual([2_026_112_901, false])
  const { entries, skipped } = parseZoneFile(lines.join('\n'), domain)
  expect(skipped).toEqual([])
  expect(entries.map(({ name, type, content }) => `${name} ${type} ${content}`)).toEqual([
    '@ NS ns1.old.test.',
    '@ MX mail.small.example.',
    '@ TXT "v=spf1 a -all"',
    'na NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:x@y!" .',
    'svc HTTPS 1 . alpn=h2 port=8443',
    'www CNAME small.example.',
  ])
  // who has no key reads the same
  expect((await answered(bytes)).lines).toEqual(lines)
})

it('refuses messages that somebody else has written, left out, or cut off', async () => {
  const touched = Buffer.from(bytes)
  touched.write('spf9', touched.indexOf('spf1'), 'latin1')
  await expect(answered(touched, { by: key })).rejects.toThrow('signature is wrong')
  await expect(answered(bytes, { by: { ...key, secret: 'AAAA' } })).rejects.toThrow('signature is wrong')
  const size = 2 + bytes.readUInt16BE()
  const second = 2 + bytes.readUInt16BE(size)
  const without = Buffer.concat([bytes.subarray(0, size), bytes.subarray(size + second)])
  await expect(answered(without, { by: key })).rejects.toThrow('signature is wrong')
  await expect(answered(bytes.subarray(0, -300))).rejects.toThrow('in the middle of the zone')
  await expect(answered(refusal(0), { by: key })).rejects.toThrow('does not sign its answer')
})

it('says why there is no zone', async () => {
  await expect(answered(refusal(5))).rejects.toThrow('has to allow transfers')
  await expect(answered(refusal(9))).rejects.toThrow('not responsible')
  await expect(answered(refusal(0))).rejects.toThrow('gives no records')
  await expect(answered(bytes.subarray(2 + bytes.readUInt16BE()))).rejects.toThrow('does not begin with the SOA')
  await expect(answered(Buffer.from('HTTP/1.1 400 Bad Request\r\n'.padEnd(30_000, 'x')))).rejects.toThrow(
    'no answer of DNS',
  )
  await expect(answered(bytes, { most: 60 })).rejects.toThrow('larger than 60')
  await expect(answered(Buffer.alloc(0))).rejects.toThrow('without an answer')
  await expect(transfer(reach, { domain, host: '10.1.2.3', port: 53 }, 100)).rejects.toThrow('no usable answer')
})
