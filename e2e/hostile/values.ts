import fc from 'fast-check'
import { fragments } from './fragments.ts'
import type { Kind } from './rule.ts'

const fragment = fc.constantFrom(...Object.values(fragments)).chain((list) => fc.constantFrom(...list))

/** One valid value of each kind, into which hostile text is inserted. */
const good: Record<Kind, fc.Arbitrary<string>> = {
  domain: fc.constantFrom('shop.example', 'a-b.example.org', 'xn--caf-dma.example', 'blåbær.example', '1a.example'),
  account: fc.constantFrom('web1', 'shop_2', 'a', 'abcdefghijklmnopqrstuvwxyz01234'),
  path: fc.constantFrom('/home/guest1/shop.example/public', '/home/guest1/x', '/home/guest1', '/home/web2/x/y'),
  version: fc.constantFrom('8.3', '8.4', '7.4'),
  package: fc.constantFrom('no-such-fpm', 'no.such8.2', 'nosuch++', 'nosuch6'),
  whole: fc.constantFrom('1', '64', '256', '1000'),
  word: fc.constantFrom('active', 'suspended', 'access', 'error'),
}

/** Valid but unusual values: maximum length, a reserved word, a name like a file's. */
const words = [
  ...[
    'video',
    'staff',
    'sudo',
    'users',
    'audio',
    'operator',
    'shadow',
    'root',
    'backup',
    'nobody',
    'localhost',
    'default',
  ],
  ...[
    'www',
    'mail',
    'nginx',
    'php',
    'innkeeper',
    'tmp',
    'null',
    'true',
    'constructor',
    'self',
    'conf',
    'new',
    'log',
    'all',
  ],
]
const letters = (min: number, max: number, set: string) =>
  fc.string({ unit: fc.constantFrom(...set), minLength: min, maxLength: max })
const label = (max: number) =>
  fc
    .tuple(letters(1, 1, 'abxyz019'), letters(0, max - 2, 'abcxyz0189-'), letters(1, 1, 'abxyz019'))
    .map((parts) => parts.join(''))
const strange: Record<Kind, fc.Arbitrary<string>> = {
  domain: fc.oneof(
    fc.constantFrom(...words).chain((word) => fc.constantFrom(`${word}.example`, `${word}.${word}`, `x.${word}.conf`)),
    fc.tuple(label(63), label(20)).map(([a, b]) => `${a}.${b}.example`),
    fc.array(label(20), { minLength: 4, maxLength: 40 }).map((list) => `${list.join('.').slice(0, 240)}x.example`),
    fc.constantFrom(
      ...['unknown.invalid', 'xn--caf-dma.example', 'blåbær.example', '食.example', 'ß.example', 'access.log'],
    ),
    fc.constantFrom(
      ...['EXAMPLE.Example', ' shop.example. ', 'x.y.z.w.example', '1.2.3.4.example', 'conf.last-good', 'a.bc'],
    ),
    fc.constantFrom('a--b.example', '-.example', 'server.name', 'return.status', 'generation.conf', 'bücher。example'),
  ),
  account: fc.oneof(
    fc.constantFrom(...words, 'a', 'z9', 'abcdefghijklmnopqrstuvwxyz01234', 'x__', 'id', 'test', 'php8', 'x_y_z'),
    fc.tuple(letters(1, 1, 'abxyz'), letters(0, 30, 'abcxyz0189_')).map((parts) => parts.join('')),
  ),
  path: fc.oneof(
    fc
      .constantFrom(
        ...words.filter((word) => word !== 'tmp'),
        '-rf',
        '--help',
        '-',
        '...',
        '.ssh',
        '.x',
        'A',
        '_',
        'x.php',
        '.-',
      )
      .map((name) => `/home/guest1/${name}`),
    letters(1, 128, 'aZ09._-').map((name) => `/home/guest1/x${name.slice(1)}`),
  ),
  version: fc.constantFrom('8.3', '5.6', '9.99', '8.0', '7.4'), // versions that no host has, because an installed one is in use
  // names that do not exist, because the host would keep them
  package: fc.constantFrom('no-such-package', 'ngin.-light', 'curl+', 'libc6.', 'a+b', '0.0', 'hell.'),
  whole: fc.integer({ min: 1, max: 256 }).map(String),
  word: fc.constantFrom('active', 'suspended', 'maintenance', 'access', 'error'),
}

/** Positions at which text is inserted. */
const into = (text: fc.Arbitrary<string>, what: fc.Arbitrary<string>) =>
  fc.tuple(text, what, fc.nat({ max: 100 })).map(([whole, part, at]) => {
    const cut = Math.round((at / 100) * whole.length)
    return whole.slice(0, cut) + part + whole.slice(cut)
  })
const homoglyphs: Record<string, string> = {
  a: 'а',
  e: 'е',
  o: 'ο',
  p: 'р',
  x: 'х',
  c: 'с',
  '.': '．',
  '/': '／',
  '-': '‐',
  1: '１',
}
const disguised = (text: string) => [...text].map((c) => homoglyphs[c] ?? c).join('')
const long = fc.tuple(
  fc.constantFrom('a', 'é', 'a.', '../', '-', '\n', '💥'),
  fc.constantFrom(32, 64, 254, 300, 5000, 70_000),
)
const notText: fc.Arbitrary<unknown> = fc.constantFrom(
  ...[null, true, 0, -1, 1.5, 1e21, 2 ** 31, 2 ** 53, [], {}, ['x'], { length: 1 }, [['8.2']], { toString: '8.2' }],
)

/** A value for a field of this kind; most are invalid. */
export const hostile = (kind: Kind): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: into(good[kind], fragment) },
    { weight: 3, arbitrary: fc.array(fragment, { minLength: 1, maxLength: 4 }).map((list) => list.join('')) },
    { weight: 2, arbitrary: into(good[kind], fc.string({ unit: 'binary', minLength: 1, maxLength: 6 })) },
    { weight: 2, arbitrary: into(strange[kind], fragment) },
    { weight: 1, arbitrary: good[kind].map(disguised) },
    { weight: 1, arbitrary: long.map(([part, times]) => part.repeat(times)) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
    { weight: 1, arbitrary: notText },
    { weight: 2, arbitrary: kind === 'whole' ? strange.whole.map(Number) : strange[kind] },
  )

/** Text for free-text fields: names, reasons. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fragment,
  into(fc.constantFrom('Kari Nordmann', 'web-1'), fragment),
)
