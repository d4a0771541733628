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

  /** A person who gives these answers, in order. */
  const person = (answers: string[]) => {
    const asked: string[] = []
    const said: string[] = []
    const question = async (text: string) => {
      asked.push(text)
      return answers.shift() ?? ''
    }
    return { asked, said, question, say: (text: string) => void said.push(text), close() {} }
  }

  it('asks in a terminal for what no option names, and takes what it offers', async () => {
    const someone = person(['', 'a.example.org', '127.0.0.1, 10.0.0.0/8'])
    expect(await readAnswers(['--port', '4400'], {}, 'host', someone)).toMatchObject({
      ...{
        database: 'local',
        name: 'a.example.org',
        https: { by: 'proxy', proxies: '127.0.0.1,10.0.0.0/8' },
        port: 4400,
      },
    })
    expect(someone.asked[0]).toBe('Database (local, embedded or postgres://…) [local]: ')
  })

  it('asks again after an answer that it cannot use, and says why', async () => {
    const file = import.meta.filename
    const someone = person(['mysql', 'embedded', 'https://a.example.org/', '', 'proxy', '/none', file, 'key', file])
    expect(await readAnswers([], {}, 'host.example.org', someone)).toMatchObject({
      ...{ database: 'embedded', name: 'host.example.org', https: { by: 'file', certificate: file, key: file } },
    })
    expect(someone.said).toEqual([
      expect.stringContaining('local, embedded'),
      expect.stringContaining('without https://'),
      expect.stringContaining('acme, plain'),
      'There is no file /none',
      'There is no file key',
    ])
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
