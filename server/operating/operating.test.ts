import { describe, expect, it } from 'vitest'
import { selfSigned } from '../net/ssl/certificates/generate.ts'
import { chainFindings, settingFindings } from './doctor/machine.ts'
import { environmentLine, parseEnvironment, withSettings } from './installation.ts'
import { readAnswers } from './setup/answers.ts'
import { printedStatements } from './setup/database.ts'

describe('the environment file', () => {
  it.each([
    'plain',
    'with space',
    'a"b\\c',
    'postgres://a:b%40c@127.0.0.1:5432/x?y=1',
    "it's",
    '$HOME `x`',
    '',
  ])('keeps %j', (value) => {
    expect(parseEnvironment(environmentLine('DATABASE_URL', value))).toEqual({ DATABASE_URL: value })
  })

  it('gets a changed setting in its place, and keeps everything else', () => {
    const before = '# why\nPORT=4400\n#INNKEEPER_PUBLIC_HOST=\nHOST=0.0.0.0\n'
    const after = withSettings(before, {
      PORT: '443',
      INNKEEPER_PUBLIC_HOST: 'a.example.org',
      HOST: undefined,
      NEW: '1',
    })
    expect(after).toBe('# why\nPORT=443\nINNKEEPER_PUBLIC_HOST=a.example.org\n#HOST=\nNEW=1\n')
    expect(withSettings(after, { HOST: '127.0.0.1' })).toContain('\nHOST=127.0.0.1\n')
  })
})

describe('innkeeper setup', () => {
  const read = (...words: string[]) => readAnswers(words, {}, 'host')

  it.each([
    [['--database', 'local', '--name', 'a.example.org', '--plain', '--certificate', 'acme'], /contradict each other/],
    [['--database', 'local', '--name', 'a.example.org', '--certificate', '/a.pem'], /needs --certificate-key/],
    [['--database', 'local', '--name', 'a.example.org', '--plain', '--port', '0'], /from 1 to 65535/],
    [['--database', 'local', '--plain'], /Name --name: there is no terminal/],
    [['--what'], /--what/],
  ])('refuses %j', async (words, why) => {
    await expect(read(...words)).rejects.toThrow(why)
  })

  it('prints statements with a password for each of two roles', () => {
    const text = printedStatements()
    const passwords = [...text.matchAll(/password '([\w-]{32})'/g)].map(([, password]) => password)
    expect(new Set(passwords).size).toBe(2)
    for (const password of passwords) expect(text.split(`${password}`)).toHaveLength(3) // statement and option
  })
})

describe('innkeeper doctor', () => {
  it('finds a name that no setting has', () => {
    expect(settingFindings({ INNKEEPER_TRUST_PROXIES: '1' })).toEqual([
      expect.objectContaining({ state: 'wrong', text: 'INNKEEPER_TRUST_PROXIES is no setting' }),
    ])
  })

  it('judges a chain as browsers do', async () => {
    const now = new Date('2026-11-28T12:00:00Z')
    const { pem } = await selfSigned(['a.example.org'], now, 10)
    const texts = (name: string, at = now) => chainFindings(pem, name, at).map(({ text }) => text)
    expect(texts('a.example.org')).toEqual(['ends in 10 days'])
    expect(texts('b.example.org')).toContain('is not for b.example.org')
    expect(texts('a.example.org', new Date('2027-01-01T12:00:00Z'))).toContain('ended 24 days ago')
    expect(chainFindings('nothing', undefined, now)).toEqual([expect.objectContaining({ state: 'wrong' })])
  })
})
