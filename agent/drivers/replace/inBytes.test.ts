import { describe, expect, test } from 'vitest'
import { fromBytes, replacer, toBytes, type Wanted } from './inBytes.ts'

const address: Wanted = { from: 'http://old.example', to: 'https://new-shop.example', how: 'text' }
const made = (text: string, wanted = address) => {
  const { text: bytes, ...more } = replacer(wanted)(toBytes(text))
  return { text: fromBytes(bytes), ...more }
}
/** PHP's serialize(), for arrays and texts. */
const php = (value: unknown): string =>
  typeof value === 'string'
    ? `s:${Buffer.byteLength(value)}:"${value}";`
    : typeof value === 'number'
      ? `i:${value};`
      : Array.isArray(value)
        ? `a:${value.length}:{${value.map((one, i) => php(i) + php(one)).join('')}}`
        : `a:${Object.keys(value as object).length}:{${Object.entries(value as object)
            .map(([key, one]) => php(key) + php(one))
            .join('')}}`

describe('serialized data of PHP', () => {
  test('keep lengths in bytes, also within one another', () => {
    const widget = { title: 'Blåbær 食 🫐', url: 'http://old.example/é', list: ['http://old.example', 7] }
    const now = { title: 'Blåbær 食 🫐', url: 'https://new-shop.example/é', list: ['https://new-shop.example', 7] }
    expect(made(php(widget))).toEqual({ text: php(now), count: 2, left: false })
    expect(made(php({ inner: php({ again: php(widget) }) })).text).toBe(php({ inner: php({ again: php(now) }) }))
  })

  test('keep names of classes, properties and keys, and report where the text stays in them', () => {
    const object =
      'O:8:"stdClass":2:{s:3:"url";s:18:"http://old.example";s:8:"\0*\0inner";C:5:"Store":26:{s:18:"http://old.example";}}'
    expect(made(object)).toEqual({
      text: 'O:8:"stdClass":2:{s:3:"url";s:24:"https://new-shop.example";s:8:"\0*\0inner";C:5:"Store":32:{s:24:"https://new-shop.example";}}',
      count: 2,
      left: false,
    })
    const keyed = php({ 'http://old.example': 'http://old.example' })
    expect(made(keyed)).toEqual({
      text: 'a:1:{s:18:"http://old.example";s:24:"https://new-shop.example";}',
      count: 1,
      left: true,
    })
  })

  test('that are broken, cut or escaped stay as they are', () => {
    for (const text of [
      'a:1:{s:4:"home";s:17:"http://old.example";}',
      's:18:\\"http://old.example\\";',
      'a:2:{i:0;s:18:"http://old',
      `x${php('other')} http://old.example s:9:"http://old.example";`,
    ])
      expect(made(text), text).toMatchObject({ text, count: 0 })
  })

  test('are found within other text, as in sessions', () => {
    expect(made(`cart|${php({ u: 'http://old.example' })}name|${php('x')} http://old.example`)).toEqual({
      text: `cart|${php({ u: 'https://new-shop.example' })}name|${php('x')} https://new-shop.example`,
      count: 2,
      left: false,
    })
  })
})

describe('JSON', () => {
  test('keeps its escaping, once and twice, with serialized data in it', () => {
    const once = '{"a" : "http:\\/\\/old.example\\/caf\\u00e9", "n":1.0, "b":"http://old.example/é \\u003cb\\u003e"}'
    expect(made(once).text).toBe(
      '{"a" : "https:\\/\\/new-shop.example\\/caf\\u00e9", "n":1.0, "b":"https://new-shop.example/é \\u003cb\\u003e"}',
    )
    const twice = JSON.stringify({ data: once, php: php({ u: 'http://old.example' }) })
    expect(JSON.parse(made(twice).text)).toEqual({
      data: made(once).text,
      php: php({ u: 'https://new-shop.example' }),
    })
    expect(made(php({ json: once })).text).toBe(php({ json: made(once).text }))
  })

  test('within a page is found with its slashes, and so is an address within an address', () => {
    expect(
      made(
        '<!-- wp:x {"url":"http:\\/\\/old.example\\/a","j":"{\\"u\\":\\"http:\\\\\\/\\\\\\/old.example\\"}"} --> ?u=http%3A%2F%2Fold.example',
      ),
    ).toMatchObject({
      text: '<!-- wp:x {"url":"https:\\/\\/new-shop.example\\/a","j":"{\\"u\\":\\"https:\\\\\\/\\\\\\/new-shop.example\\"}"} --> ?u=https%3A%2F%2Fnew-shop.example',
      count: 3,
    })
  })
})

test('a domain is no part of a longer name or of a mail address', () => {
  const domain: Wanted = { from: 'old.example', to: 'new.example', how: 'domain' }
  const stays = 'old.example.com my-old.example blog.old.example info@old.example'
  expect(made(php([stays, 'https://www.Old.example/x?u=https%3A%2F%2Fold.example%2F']), domain)).toEqual({
    text: php([stays, 'https://www.new.example/x?u=https%3A%2F%2Fnew.example%2F']),
    count: 2,
    left: false,
  })
})

test('the names of a copy become those of the website, also below them and in mail addresses', () => {
  const names: Wanted = { from: 'staging-1.shop.example', to: 'shop.example', how: 'names' }
  const stays = 'staging-11.shop.example my-staging-1.shop.example staging-1.shop.example.com shop.example'
  expect(
    made(php([stays, 'blog.Staging-1.shop.example x@staging-1.shop.example %2F%2Fstaging-1.shop.example']), names),
  ).toEqual({
    text: php([stays, 'blog.shop.example x@shop.example %2F%2Fshop.example']),
    count: 3,
    left: false,
  })
  // the name of the website contains that of its copy
  const within: Wanted = { from: 'test.example', to: 'shop.test.example', how: 'names' }
  expect(made('shop.test.example test.example a.test.example', within).text).toBe(
    'shop.test.example shop.test.example a.shop.test.example',
  )
})
