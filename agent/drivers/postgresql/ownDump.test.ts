import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { ownDump } from './ownDump.ts'

async function refusedIn(dump: string, size = 7): Promise<string[]> {
  const { through, facts } = ownDump()
  const pieces = dump.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  through.resume()
  await pipeline(Readable.from(pieces.map((piece) => Buffer.from(piece))), through)
  return facts().findings.flatMap(({ effect, topic }) => (effect === 'refused' ? [topic] : []))
}

test('a dump that breaks off between two statements is refused, in whatever pieces it arrives', async () => {
  const begun = '--\n-- PostgreSQL database dump\n--\n\ncreate table t (i int);\n'
  const whole = `${begun}-- PostgreSQL database dump complete\n`
  for (const size of [1, 7, 4096]) {
    expect(await refusedIn(begun, size)).toEqual(['incomplete'])
    expect(await refusedIn(`${whole}create table by_hand (i int);\n`, size)).toEqual([])
    expect(await refusedIn(whole + begun, size)).toEqual(['incomplete'])
  }
  expect(await refusedIn('create table by_hand (i int);\n')).toEqual([])
})

test('switches of all triggers become switches of own triggers, and the line of an error stays', async () => {
  const { through, facts } = ownDump()
  const written: Buffer[] = []
  through.on('data', (part: Buffer) => written.push(part))
  const dump =
    '--\nALTER TABLE public.posts DISABLE TRIGGER ALL;\n\nCOPY public.posts (id) FROM stdin;\n1\n\\.\n\nALTER TABLE public.posts ENABLE TRIGGER ALL;\n'
  await pipeline(Readable.from([Buffer.from(dump)]), through)
  expect(Buffer.concat(written).toString()).toBe(dump.replaceAll('TRIGGER ALL', 'TRIGGER USER'))
  expect(facts().findings).toMatchObject([{ effect: 'rewritten', count: 2, line: 1 }])
})
