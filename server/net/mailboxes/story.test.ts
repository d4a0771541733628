import { expect, it } from 'vitest'
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
