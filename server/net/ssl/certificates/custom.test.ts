import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chainFor, signed } from '../test/chain.ts'
import { lookAt } from './custom.ts'
import { selfSigned } from './generate.ts'
import { fingerprintOf, namesOf } from './read.ts'

const names = ['shop.example', 'www.shop.example']

describe('an uploaded certificate', () => {
  it('is accepted with its chain in any order, and stored in order without its root', async () => {
    const { root, middle, leaf } = await chainFor(names)
    const { problems, warnings, chain } = lookAt(
      { certificate: leaf.pem, key: leaf.key, ca: `${root.pem}\n${middle.pem}` },
      names,
    )
    expect(problems).toEqual({})
    expect(warnings).toEqual([])
    expect(chain.map((one) => one.subject)).toEqual(['CN=shop.example', 'CN=Middle of tests'])
    const together = lookAt({ certificate: [leaf.pem, root.pem, middle.pem].join('\n'), key: leaf.key }, names)
    expect(together.chain.map(fingerprintOf)).toEqual(chain.map(fingerprintOf))
  })

  it('is refused if it is for clients only, and accepted if it is for servers or for every use', async () => {
    const [server, client] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']
    const problem = async (uses: string[]) => {
      const { pem, key } = await signed('shop.example', { names, uses })
      return lookAt({ certificate: pem, key }, names).problems.certificate
    }
    expect(await problem([client])).toContain('not for servers')
    for (const uses of [[server, client], [server], ['2.5.29.37.0'], []]) expect(await problem(uses)).toBeUndefined()
  })

  it('is recognised among several by its key, or because it is not the certificate of an authority', async () => {
    const { root, middle, leaf } = await chainFor(names)
    const certificate = [root.pem, middle.pem, leaf.pem].join('\n')
    const kept = ['CN=shop.example', 'CN=Middle of tests']
    for (const key of [leaf.key, undefined]) {
      const { problems, chain } = lookAt({ certificate, key }, names)
      expect(problems).toEqual({})
      expect(chain.map((one) => one.subject)).toEqual(kept)
    }
    expect(lookAt({ certificate, key: 'no key' }, names).problems).toEqual({ key: 'Not a private key in PEM form' })
    expect(lookAt({ certificate: root.pem + middle.pem, key: leaf.key }, names).problems.certificate).toContain(
      'of an authority, not of a website',
    )
  })

  it('uses the newer of two certificates of its issuer, in any order, even if the older has expired', async () => {
    const { root, middle, leaf } = await chainFor(names)
    const ended = await signed('Middle of tests', { by: root, ca: true, from: -400, days: -5, keys: middle.keys })
    for (const ca of [ended.pem + middle.pem + root.pem, middle.pem + ended.pem + root.pem])
      expect(lookAt({ certificate: leaf.pem, key: leaf.key, ca }, names).problems).toEqual({})
  })

  it('is refused with a foreign key, beside the key field', async () => {
    const { root, middle, leaf } = await chainFor(names)
    const ca = `${middle.pem}${root.pem}`
    const look = (key: string) => lookAt({ certificate: leaf.pem, key, ca }, names).problems
    expect(look(middle.key)).toEqual({ key: 'This is the key of another certificate' })
    expect(look('no key')).toEqual({ key: 'Not a private key in PEM form' })
    const encrypted = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }).privateKey
    expect(look(encrypted).key).toContain('passphrase')
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    })
    expect(look(short.toString()).key).toContain('1024 bits')
    const odd = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    expect(look(odd.toString()).key).toContain('ed25519')
  })

  it('is refused if its chain leads to no root or contains an expired certificate', async () => {
    const { root, middle, leaf } = await chainFor(names)
    const other = await signed('Another authority', { ca: true })
    expect(lookAt({ certificate: leaf.pem, key: leaf.key }, names).problems.certificate).toContain(
      'The certificate of its issuer is missing: Middle of tests',
    )
    expect(lookAt({ certificate: leaf.pem, key: leaf.key, ca: other.pem }, names).problems.ca).toContain(
      'Another authority has not issued it',
    )
    const beside = lookAt({ certificate: leaf.pem, key: leaf.key, ca: other.pem + middle.pem }, names).problems.ca
    expect(beside).toContain('Root of tests')
    expect(beside).not.toContain('Another authority')
    expect(lookAt({ certificate: leaf.pem, key: leaf.key, ca: middle.pem }, names).problems.ca).toContain(
      'Root of tests',
    )
    expect(lookAt({ certificate: leaf.pem, key: leaf.key, ca: 'nothing' }, names).problems.ca).toContain('PEM')
    // the error text contains the URL of the issuer's certificate
    const told = async (issuers: string) => {
      const own = await signed('shop.example', { by: middle, names, issuers })
      return lookAt({ certificate: own.pem, key: own.key }, names).problems.certificate
    }
    const place = 'http://ca.example/middle.crt'
    expect(await told(place)).toBe(
      `The certificate of its issuer is missing: Middle of tests. Its authority hands it out at ${place}`,
    )
    expect(await told('file:///etc/passwd')).toBe('The certificate of its issuer is missing: Middle of tests')
    const old = await chainFor(names, { middleDays: -5 })
    const ended = lookAt({ certificate: old.leaf.pem, key: old.leaf.key, ca: old.middle.pem + old.root.pem }, names)
    expect(ended.problems.ca).toContain('Middle of tests in its chain ended')
    // has the issuer's name, but another key
    const forged = await signed('Middle of tests', { by: root, ca: true })
    expect(lookAt({ certificate: leaf.pem, key: leaf.key, ca: forged.pem + root.pem }, names).problems.ca).toContain(
      'missing',
    )
  })

  it('is refused when expired, not yet valid, or for another name; uncovered names are reported', async () => {
    const of = async (more: { names?: string[]; days?: number; from?: number }) => {
      const { leaf, middle, root } = await chainFor(more.names ?? names, more)
      return lookAt({ certificate: leaf.pem, key: leaf.key, ca: middle.pem + root.pem }, names)
    }
    expect((await of({ days: -0.5, from: -30 })).problems.certificate).toMatch(/^The certificate ended \d{4}/)
    expect((await of({ from: 3 })).problems.certificate).toMatch(/^The certificate begins/)
    expect((await of({ names: ['other.example'] })).problems.certificate).toBe(
      'The certificate is for other.example, not for shop.example',
    )
    expect((await of({ names: ['*.shop.example'] })).problems.certificate).toContain('not for shop.example')
    const part = await of({ names: ['shop.example'], days: 10.5 })
    expect(part.problems).toEqual({})
    expect(part.warnings).toEqual([
      'www.shop.example is not in it: visitors by that name are warned',
      'The certificate ends in 10 days',
    ])
    expect((await of({ names: ['shop.example', '*.shop.example'] })).warnings).toEqual([])
  })

  it('is refused if it is invalid or contains a key', async () => {
    const { leaf } = await chainFor(names)
    for (const certificate of ['', 'hello', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])
      expect(lookAt({ certificate, key: leaf.key }, names).problems.certificate).toContain('PEM')
    expect(lookAt({ certificate: leaf.key + leaf.pem, key: leaf.key }, names).problems.certificate).toContain(
      'private key',
    )
  })
})

it('that is self-signed covers all its names, even if the first exceeds the length of a subject', async () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`
  const { key, pem } = await selfSigned([long, 'short.example'])
  const { problems, chain } = lookAt({ certificate: pem, key }, [long, 'short.example'])
  expect(problems).toEqual({})
  expect(chain.map(namesOf)).toEqual([[long, 'short.example']])
  expect(Date.parse(chain[0]?.validTo ?? '')).toBeGreaterThan(Date.now() + 396 * 86_400_000)
})
