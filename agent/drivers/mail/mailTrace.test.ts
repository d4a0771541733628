import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { traceIn } from './mailTrace.ts'

let folder: string
let log: string
/** Minutes before now, as the log writes them. */
const stamp = (minutes: number) => {
  const at = new Date(Date.now() - minutes * 60_000)
  const [, month, day, , time] = at.toString().split(' ')
  return `${month} ${String(Number(day)).padStart(2)} ${time}`
}
const line = (minutes: number, by: string, text: string) => `${stamp(minutes)} mail-1 postfix/${by}[12]: ${text}\n`
const message = (minutes: number, id: string, to: string) =>
  line(minutes, 'smtpd', `${id}: client=mx[203.0.113.9]`) +
  line(minutes, 'cleanup', `${id}: message-id=<${id}@elsewhere.example>`) +
  line(minutes, 'lmtp', `${id}: to=<${to}>, relay=x, status=sent (250 Saved)`) +
  line(minutes, 'qmgr', `${id}: removed`)
const DAY = 1440
const trace = (about: object, most = 50, days = 10) => {
  const until = Math.floor(Date.now() / 1000) + 60
  return traceIn(log, { ...about, from: until - days * 86_400, until, most })
}
const idsOf = ({ messages }: Awaited<ReturnType<typeof trace>>) => messages.map(({ id }) => id)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'innkeeper-trace-'))
  log = join(folder, 'mail.log')
  writeFileSync(
    `${log}.2.gz`,
    gzipSync(
      message(3 * DAY, 'OLDEST1', 'kari@post.example') + line(2 * DAY, 'smtpd', 'SPANS01: client=mx[203.0.113.9]'),
    ),
  )
  writeFileSync(
    `${log}.1`,
    line(2 * DAY, 'lmtp', 'LATER01: to=<kari@late.example>, relay=x, status=sent (250 Saved)') +
      line(2 * DAY - 1, 'lmtp', 'SPANS01: to=<Kari@Post.example>, relay=x, status=sent (250 Saved)') +
      Array.from({ length: 40 }, (_, n) =>
        message(DAY + 90 - n, `MANY${String(n).padStart(3, '0')}`, 'lars@post.example'),
      ).join(''),
  )
  writeFileSync(
    log,
    line(
      9,
      'smtpd',
      'NOQUEUE: reject: RCPT from mx: 550 5.1.1 <nobody@post.example>: User unknown; to=<nobody@post.example>',
    ) +
      message(8, 'OTHERS1', 'xkari@otherpost.example') +
      Array.from({ length: 200 }, (_, n) =>
        line(
          5,
          'smtp',
          `TOMANY1: to=<n${n}@${n === 120 ? 'post.example' : 'far.example'}>, relay=x, status=sent (250 ok)`,
        ),
      ).join('') +
      line(4, 'qmgr', 'TOMANY1: removed') +
      line(3, 'smtp', 'LATER01: to=<far@far.example>, relay=x, status=sent (250 ok)') +
      line(3, 'qmgr', 'LATER01: removed'),
  )
  writeFileSync(`${log}.offset`, message(1, 'NOTALOG', 'kari@post.example'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('finds messages in all rotations, also compressed ones, newest first, each as a whole', async () => {
  const found = await trace({ about: 'kari@post.example' })
  expect(idsOf(found)).toEqual(['SPANS01', 'OLDEST1'])
  expect(found.messages[0]?.lines.map(({ text }) => text.slice(0, 6))).toEqual(['client', 'to=<Ka'])
  expect(found.more).toBe(false)
  expect(idsOf(await trace({ messageId: 'OLDEST1@elsewhere.example' }))).toEqual(['OLDEST1'])
  expect(idsOf(await trace({ about: 'kari@post.example' }, 50, 1))).toEqual([])
})

test('gives no room to messages for others whose sender wrote the address into an id or a greeting', async () => {
  const forged = (n: number) =>
    line(2, 'cleanup', `FORGED${n}: message-id=<${n}@aim.example>`) +
    line(2, 'smtp', `FORGED${n}: to=<a@far.example>, relay=x, status=sent (250 ok)`) +
    line(
      2,
      'smtpd',
      'NOQUEUE: reject: RCPT from mx: 550 no; from=<a@b.example> to=<c@far.example> helo=<x@aim.example>',
    )
  const at = join(folder, 'forged.log')
  writeFileSync(at, message(9, 'TRUE001', 'kari@aim.example') + [...Array(9).keys()].map(forged).join(''))
  const until = Math.floor(Date.now() / 1000) + 60
  const asked = { from: until - DAY * 60, until, most: 5 }
  const found = await traceIn(at, { about: 'aim.example', ...asked })
  expect([idsOf(found), found.refused, found.more]).toEqual([['TRUE001'], [], false])
  expect(idsOf(await traceIn(at, { messageId: '3@aim.example', ...asked }))).toEqual(['FORGED3'])
})

test('follows a message until it leaves the queue, days after it was delivered to the address', async () => {
  const [found] = (await trace({ about: 'kari@late.example' })).messages
  expect(found?.lines.map(({ text }) => text.slice(0, 10))).toEqual(['to=<kari@l', 'to=<far@fa', 'removed'])
})

test('matches whole addresses or domains only, and includes mail that was refused at once', async () => {
  const found = await trace({ about: 'post.example' })
  expect(idsOf(found)).not.toContain('OTHERS1')
  expect(found.refused.map(({ text }) => text)).toEqual([expect.stringMatching(/^NOQUEUE: reject: .*User unknown/)])
})

test('answers the newest and says that older ones are left out', async () => {
  const found = await trace({ about: 'lars@post.example' }, 3)
  expect(idsOf(found)).toEqual(['MANY039', 'MANY038', 'MANY037'])
  expect(found.more).toBe(true)
  expect(idsOf(await trace({ about: 'post.example' }, 2))).toEqual(['TOMANY1', 'MANY039'])
})

test('shortens a message for many addresses to its first and last lines, the requested one, and a count', async () => {
  const [found] = (await trace({ about: 'n120@post.example' })).messages
  const texts = found!.lines.map(({ text }) => text)
  expect(texts[0]).toContain('<n0@')
  expect(texts.at(-1)).toBe('removed')
  expect(texts.join()).toContain('<n120@post.example>')
  expect(texts.length + found!.leftOut).toBe(201)
  expect(texts.length).toBeLessThan(80)
})

test('reads only the newest lines of a large log where they suffice, and all where they do not', async () => {
  const large = join(folder, 'large.log')
  const rest = log
  const one = line(3, 'smtp', 'ONEMANY: to=<n@large.example>, relay=x, status=sent (250 ok)')
  writeFileSync(
    large,
    Array.from({ length: 8000 }, (_, n) => message(6, `L${String(n).padStart(6, '0')}`, 'kari@large.example')).join(
      '',
    ) + one.repeat(25_000),
  )
  log = large
  try {
    const found = await trace({ about: 'large.example' }, 3)
    expect(idsOf(found)).toEqual(['ONEMANY', 'L007999', 'L007998'])
    expect(found.more).toBe(true)
    writeFileSync(large, one.repeat(25_000) + message(2, 'LASTONE', 'kari@large.example'))
    expect(idsOf(await trace({ about: 'large.example' }, 1))).toEqual(['LASTONE'])
  } finally {
    log = rest
  }
})
