import type { CheckSettings } from '@innkeeper/contract/quality/qc/checks'
import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { patternProblem } from './phrases.ts'
import { settingsOf } from './settings.ts'
import type { Heard, Said } from './speech.ts'

const MINUTE = 60_000
const begin = Date.parse('2026-11-20T10:00:00Z')
const [agent, customer] = ['agent', 'customer'] as const

/** Messages as `[role, minute, text]`. */
const heard = (said: readonly (readonly [Said['role'], number, string])[], more: Partial<Heard> = {}): Heard => ({
  ...{ kind: 'chat', sourceId: 1, departmentId: 2, staffed: null, now: begin + 10_000 * MINUTE },
  said: said.map(([role, minute, body], id) => ({ id, at: begin + minute * MINUTE, kind: 'message', role, body })),
  ...more,
})
const result = (rule: Parameters<typeof settingsOf>[0], of: Heard) => judge(settingsOf(rule), of).result
const said = (check: CheckSettings['check'], body: string, rule: Partial<CheckSettings> = {}) =>
  result({ check, who: 'everybody', ...rule }, heard([[customer, 0, body]]))

describe('times', () => {
  const talk = heard([
    [customer, 0, 'Down'],
    ['bot', 1, 'Thanks, somebody answers'],
    [customer, 5, 'Hello?'],
    [agent, 30, 'I look'],
    [customer, 40, 'And?'],
    [agent, 140, 'Up again'],
  ])
  test.each([
    ['firstAnswer', 29, 'failed'],
    ['firstAnswer', 30, 'passed'],
    ['silence', 99, 'failed'],
    ['silence', 100, 'passed'],
    ['unanswered', 1, 'passed'],
  ] as const)('%s within %d minutes: %s', (check, minutes, expected) =>
    expect(result({ check, minutes }, talk)).toBe(expected))

  test('an open wait says nothing before its limit, and names the time when it may fail', () => {
    const open = heard([[customer, 0, 'Down']], { now: begin + 10 * MINUTE })
    expect(judge(settingsOf({ check: 'unanswered', minutes: 60 }), open)).toMatchObject({
      ...{ result: 'none', again: begin + 61 * MINUTE },
    })
    expect(result({ check: 'unanswered', minutes: 9 }, open)).toBe('failed')
  })

  test.each([
    ['Never mind.', 'passed'],
    ['Hat sich erledigt!', 'passed'],
    ['Never mind the mail: does the website work?', 'failed'],
    ['Nothing works', 'failed'],
    ['Das geht immer noch nicht.', 'failed'],
    ["It doesn't work", 'failed'],
    ['It works', 'passed'],
    ['Thanks, not needed any more', 'passed'],
  ])('after an answer, the customer writes: %s', (body, expected) => {
    const last = heard([
      [customer, 0, 'Down'],
      [agent, 3, 'Since when?'],
      [customer, 5, body],
    ])
    expect(result({ check: 'unanswered', minutes: 60 }, last)).toBe(expected)
  })

  test('by the roster only staffed minutes count, and a department without roster has no result', () => {
    const rule = { check: 'firstAnswer', minutes: 15, hours: 'roster' } as const
    expect(result(rule, talk)).toBe('none')
    const night = [
      [begin - 600 * MINUTE, begin + 5 * MINUTE] as const,
      [begin + 22 * MINUTE, begin + 500 * MINUTE] as const,
    ]
    expect(judge(settingsOf(rule), { ...talk, staffed: night })).toMatchObject({ result: 'passed', value: 13 })
  })
})

describe('phrases', () => {
  const talk = heard([
    [customer, 0, 'obviously it is down'],
    [agent, 1, 'Hello Mari, Größe is fine'],
    [agent, 2, 'Was there anything else?'],
  ])
  test.each([
    [{ check: 'greeting', words: ['hello'] }, 'passed'],
    [{ check: 'greeting', words: ['hell'] }, 'failed'],
    [{ check: 'greeting', words: ['GRÖSSE', 'größe'] }, 'passed'],
    [{ check: 'closing', words: ['anything else?'] }, 'passed'],
    [{ check: 'closing', patterns: ['kind regards|best wishes'] }, 'failed'],
    [{ check: 'wanted', who: 'agent', patterns: ['any(thing|one) else'] }, 'passed'],
    [{ check: 'forbidden', who: 'agent', words: ['obviously'] }, 'passed'],
    [{ check: 'forbidden', who: 'customer', words: ['Obviously'] }, 'failed'],
  ] as const)('%j: %s', (rule, expected) =>
    expect(
      result(
        {
          ...rule,
          words: [...('words' in rule ? rule.words : [])],
          patterns: [...('patterns' in rule ? rule.patterns : [])],
        },
        talk,
      ),
    ).toBe(expected))

  test('a place is where the phrase stands, and results have no words', () => {
    const judgement = judge(settingsOf({ check: 'forbidden', who: 'customer', words: ['obviously'] }), talk)
    expect(judgement.places).toEqual([{ messageId: 0, from: 0, to: 9 }])
    expect(JSON.stringify(judgement)).not.toContain('obviously')
  })

  test('patterns that never end elsewhere are read in linear time, and oversized ones are refused', () => {
    const text = heard([[customer, 0, `${'a'.repeat(19_000)}!`]])
    expect(result({ check: 'forbidden', who: 'customer', patterns: ['(a+)+$'] }, text)).toBe('passed')
    expect(patternProblem('(a{30}){30}')).toContain('too large')
    expect(patternProblem('(?=a)b')).toContain('cannot be read')
    expect(patternProblem('a*')).toContain('without words')
    expect(patternProblem('refund(ed)?')).toBeNull()
  })

  test('who closed is read from the last event with the words', () => {
    const events = [customer, 'system'].map((role, n) => ({
      ...{
        id: 10 + n,
        at: begin + (5 + n) * MINUTE,
        kind: 'event',
        role,
        body: n ? 'Tag added' : 'Status changed to closed',
      },
    })) as Said[]
    const rule = { check: 'closedBy', words: ['closed'], closers: ['agent' as const] } as const
    const closed = judge(settingsOf({ ...rule, words: ['closed'], closers: ['agent'] }), {
      ...talk,
      said: [...talk.said, ...events],
    })
    expect(closed).toMatchObject({ result: 'failed', note: 'customer' })
    expect(result({ ...rule, words: ['closed'], closers: ['agent'] }, talk)).toBe('none')
  })
})

test.each([
  ['My card is 4111 1111 1111 1111, thanks', 'failed'],
  ['4111-1111-1111-1111', 'failed'],
  ['4111 1111 1111 1112', 'passed'],
  ['0000 0000 0000 0000', 'passed'],
  ['Order 1234567890123', 'passed'],
  ['IBAN NO93 8601 1117 947', 'passed'],
  ['password: Hunter2!', 'failed'],
  ['The password is s3cr3t-word.', 'failed'],
  ['mein Passwort ist Geheim123', 'failed'],
  ['Passord: hei123', 'failed'],
  ['I forgot my password yesterday', 'passed'],
  ['password reset', 'passed'],
  ['The password is not accepted', 'passed'],
  ['password: mari@customer.example', 'passed'],
])('a card number or password in the open: %s %s', (text, expected) => expect(said('secrets', text)).toBe(expected))

test.each([
  ['See https://example.com/a and http://docs.example.com', 'passed'],
  ['See https://example.com.evil.example/', 'failed'],
  ['See http://[', 'failed'],
  ['No link', 'passed'],
])('links: %s %s', (text, expected) => expect(said('links', text, { hosts: ['example.com'] })).toBe(expected))

describe('language and tone', () => {
  const english = 'The website has been down since this morning and nobody has told me when it will be repaired.'
  const german = 'Die Webseite ist seit heute Morgen nicht erreichbar, und niemand sagt mir, wann sie wieder läuft.'
  test.each([
    [english, ['en'], 'passed'],
    [german, ['en'], 'failed'],
    ['ok', ['en'], 'none'],
  ] as const)('%s in %j: %s', (text, languages, expected) =>
    expect(said('language', text, { languages: [...languages] })).toBe(expected))
  test('without a list, the agent writes as the customer does', () => {
    const of = (answer: string) =>
      result(
        { check: 'language' },
        heard([
          [customer, 0, german],
          [agent, 1, answer],
        ]),
      )
    expect([of(english), of(german)]).toEqual(['failed', 'passed'])
  })
  test.each([
    ['This is terrible and awful service, I am very angry and disappointed with the constant failures.', 'failed'],
    ['Thank you very much, this was a great and friendly help, I am happy with the quick answer.', 'passed'],
    [german, 'none'],
  ])('tone: %s %s', (text, expected) => expect(said('sentiment', text)).toBe(expected))
})

test('a question that is asked again is found, and a rule says nothing of what it does not cover', () => {
  const again = heard([
    [customer, 0, 'When will my website example be online again?'],
    [agent, 1, 'Soon'],
    [customer, 9, 'When will my website example be online again please?'],
  ])
  expect(result({ check: 'repeated' }, again)).toBe('failed')
  expect(result({ check: 'repeated', departmentIds: [9] }, again)).toBe('none')
  expect(result({ check: 'repeated', usedFor: 'ticket' }, again)).toBe('none')
  expect(result({ check: 'repeated', sourceIds: [1] }, again)).toBe('failed')
})
