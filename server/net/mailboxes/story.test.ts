import { expect, it } from 'vitest'
import { joined } from './passedOn.ts'
import { concerns, storyOf } from './story.ts'

const at = '2026-11-24T12:00:00.000Z'
const line = (by: string, text: string) => ({ at, by, text })
const story = (...lines: ReturnType<typeof line>[]) => storyOf('4XyZ12ABCDz', lines)

it('takes sender and recipients from the lines of Postfix, not from the id of a message', () => {
  const { from, to, outcome } = story(
    line('postfix/cleanup', 'message-id=<x from=<boss@bank.example>, to=<ceo@bank.example>, status=sent (250 ok)>'),
    line('postfix/qmgr', 'from=<mallory@evil.example>, size=900, nrcpt=1 (queue active)'),
    line(
      'postfix/smtp',
      'to=<ada@example.org>, relay=none, delay=1, delays=0/0/1/0, dsn=5.4.4, status=bounced (no host)',
    ),
  )
  expect({ from, to, outcome }).toEqual({ from: 'mallory@evil.example', to: ['ada@example.org'], outcome: 'bounced' })
})

it.each([
  'to=<"a, status=sent (250 ok)"@evil.example>, relay=none, delay=1, dsn=5.1.1, status=bounced (unknown user)',
  'to=<"to=<x>, relay=a, status=sent (250)"@evil.example>, relay=none, dsn=5.1.1, status=bounced (unknown user)',
  'to=<a@evil.example>, orig_to=<"status=sent (x)"@evil.example>, relay=none, dsn=5.1.1, status=bounced (unknown user)',
  'to=<a@evil.example>, relay=mx[192.0.2.1]:25, dsn=5.1.1, status=bounced (host said: 550 status=sent (250 ok))',
])('shows the state that Postfix wrote: %s', (text) => {
  const { outcome, steps } = story(line('postfix/smtp', text))
  expect(outcome).toBe('bounced')
  expect(steps).toHaveLength(1)
})

it('reads who was refused from where Postfix says so', () => {
  const words = '550 5.1.1 <"; from=<boss@bank.example> to=<x> proto="@evil.example>: Recipient address rejected'
  const { from, to, outcome } = story(
    line(
      'postfix/smtpd',
      `NOQUEUE: reject: RCPT from a[192.0.2.1]: ${words}; from=<mallory@evil.example> to=<ada@example.org> proto=ESMTP helo=<; from=<boss@bank.example> to=<x> proto=ESMTP>`,
    ),
  )
  expect({ from, to, outcome }).toEqual({ from: 'mallory@evil.example', to: ['ada@example.org'], outcome: 'refused' })
})

it('believes no greeting that looks like a sign-in', () => {
  const [step] = story(line('postfix/smtpd', 'client=sasl_username=boss.evil.example[192.0.2.1]')).steps
  expect(step?.text).toBe('from sasl_username=boss.evil.example[192.0.2.1]')
})

it('counts a message as one of a domain by the addresses that Postfix names only', () => {
  const about = (...texts: string[]) =>
    concerns(
      texts.map((text) => line('postfix/smtpd', text)),
      'example.org',
    )
  // whoever sends mail to somebody else writes these, and would fill the trace of example.org
  expect(
    about(
      'message-id=<x@example.org>',
      'from=<m@evil.example>, size=9',
      'to=<a@evil.example>, relay=x, status=sent (ok)',
    ),
  ).toBe(false)
  const refused = (to: string) =>
    `NOQUEUE: reject: RCPT from a[192.0.2.1]: 550 <x@example.org>; from=<m@evil.example> to=<${to}> proto=ESMTP helo=<a@example.org>`
  expect([about(refused('a@evil.example')), about(refused('Ada@Example.org'))]).toEqual([false, true])
  expect([
    about('from=<ada@example.org>, size=9'),
    about('to=<b@other.example>, orig_to=<ada@example.org>, relay=x, status=sent (ok)'),
    about('client=a[192.0.2.1], sasl_method=PLAIN, sasl_username=ada@example.org'),
    about('to=<"a@example.org>"@evil.example>, relay=x, status=sent (ok)'),
  ]).toEqual([true, true, true, false])
})

it('cuts what Postfix repeats at the end of a refusal', () => {
  const [step] = story(
    line(
      'postfix/smtpd',
      'NOQUEUE: reject: RCPT from a[192.0.2.1]: 550 5.1.1 <no@example.org>: User unknown; from=<m@evil.example> to=<no@example.org> proto=ESMTP helo=<a>',
    ),
  ).steps
  expect(step?.text).toBe('RCPT from a[192.0.2.1]: 550 5.1.1 <no@example.org>: User unknown')
})

const passing = (id: string, relay: string, to: string, from = 'info@example.org') => ({
  id,
  leftOut: 0,
  lines: [
    line('postfix/pickup', `uid=0 from=<${from}>`),
    line('postfix/cleanup', 'message-id=<1@example.org>'),
    line('postfix/qmgr', `from=<${from}>, size=289, nrcpt=1 (queue active)`),
    line(
      'postfix/pipe',
      `to=<${to}>, relay=${relay}, delay=2, dsn=2.0.0, status=sent (delivered via ${relay} service)`,
    ),
    line('postfix/qmgr', 'removed'),
  ],
})
const goingOn = (id: string, by: string, last: string, messageId = '1@example.org') => ({
  id,
  leftOut: 1,
  lines: [
    line(`postfix/${by}/smtpd`, 'client=localhost[127.0.0.1]'),
    line('postfix/cleanup', `message-id=<${messageId}>`),
    line('postfix/qmgr', 'from=<info@example.org>, size=466, nrcpt=1 (queue active)'),
    line('postfix/smtp', `to=<far@other.example>, relay=none, delay=2, ${last}`),
  ],
})
const waits = 'dsn=4.4.3, status=deferred (Host not found, try again)'

it('tells of a message that passed a program of ours as one, with what became of it', () => {
  const first = passing('A', 'innkeeper-count', 'far@other.example')
  const one = joined([goingOn('B', 'counted', waits), first, goingOn('C', 'counted', waits, 'other@example.org')])
  expect(one.map(({ id }) => id)).toEqual(['A', 'C'])
  const { outcome, steps, from, to, leftOut } = storyOf('A', one[0]!.lines, one[0]!.leftOut)
  expect({ outcome, from, to, leftOut }).toEqual({
    ...{ outcome: 'waiting', from: 'info@example.org', to: ['far@other.example'], leftOut: 1 },
  })
  expect(steps.map(({ what }) => what)).toEqual(['Accepted', 'Waits'])
  expect(storyOf('A', first.lines).outcome).toBe('unknown') // the log does not say how it went on
  const gone = goingOn('B', 'counted', 'dsn=2.0.0, status=sent (250 ok)')
  gone.lines.push(line('postfix/qmgr', 'removed'))
  expect(storyOf('A', joined([first, gone])[0]!.lines).outcome).toBe('sent')
})

it('says of forwarded mail from where and to where', () => {
  const first = passing(
    'A',
    'innkeeper-forward',
    'far@other.example>, orig_to=<info@example.org',
    'ada@elsewhere.example',
  )
  const [one] = joined([first, goingOn('B', 'forwarded', waits)])
  const { steps, from, outcome } = storyOf('A', one!.lines)
  expect({ from, outcome }).toEqual({ from: 'ada@elsewhere.example', outcome: 'waiting' })
  expect(steps[1]).toMatchObject({ what: 'Forwarded', text: 'from info@example.org to far@other.example' })
})
