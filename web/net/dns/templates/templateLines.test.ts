import { describe, expect, it } from 'vitest'
import { readLines, refusals, written } from './templateLines.ts'

const records = [
  { name: '@', type: 'A' as const, ttl: 3600, priority: null, content: '{address}' },
  { name: '@', type: 'MX' as const, ttl: 600, priority: 10, content: 'mail.{domain}.' },
  { name: '@', type: 'TXT' as const, ttl: 3600, priority: null, content: '"v=spf1 mx -all"' },
]

describe('records of a template', () => {
  it('are read back unchanged', () => {
    expect(readLines(written(records))).toEqual({ records })
  })

  it('may omit their TTL, with blank lines between', () => {
    expect(readLines('\n  www   cname  {domain}. \n\n')).toEqual({
      records: [{ name: 'www', type: 'CNAME', ttl: 3600, priority: null, content: '{domain}.' }],
    })
  })

  it.each([
    ['www', 'Line 1: name, TTL, type and content, as www 3600 A {address}'],
    ['www 60 LUA x', 'Line 1: LUA is no type of record that is kept here'],
    ['@ MX mail.{domain}.', 'Line 1: MX begins with its priority, as 10'],
    ['@ 2147483648 A 192.0.2.1', 'Line 1: a TTL is 0 to 2147483647 seconds'],
    ['', 'A template has at least one record'],
  ])('%j has the error: %s', (text, problem) => expect(readLines(text)).toEqual({ problems: [problem] }))

  it('with an error of the server are named by their lines', () => {
    expect(refusals('\n@ A x\n\nwww A y', { 'records.1.content': 'Not an address', name: 'Taken' })).toEqual([
      'Line 4: Not an address',
    ])
  })
})
