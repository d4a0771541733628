import { expect, test } from 'vitest'
import { withOtherName } from './nameInText.ts'

const made = (text: string) => withOtherName(text, 'old.example', 'new.example.org')

test('replaces a name in URLs, in paths and alone, with its www', () => {
  expect(made("define('WP_HOME', 'http://www.Old.example/blog');").text).toBe(
    "define('WP_HOME', 'http://www.new.example.org/blog');",
  )
  expect(made('/home/web1/old.example/tmp').text).toBe('/home/web1/new.example.org/tmp')
  expect(made('{"u":"https:\\/\\/old.example\\/"}').text).toBe('{"u":"https:\\/\\/new.example.org\\/"}')
  expect(made('server=old.example.').text).toBe('server=new.example.org.')
})

test('leaves longer names, mail addresses and broken serialized text alone', () => {
  for (const text of [
    'old.example.com',
    'my-old.example',
    'blog.old.example',
    'old.example-shop',
    'info@old.example',
    'a:1:{s:4:"home";s:17:"http://old.example";}',
    's:18:\\"http://old.example\\";',
  ])
    expect(made(text)).toEqual({ text, count: 0, lines: [] })
})

test('keeps the lengths of serialized text in bytes', () => {
  expect(made('æ a:1:{s:4:"home";s:21:"http://old.example/æ";}').text).toBe(
    'æ a:1:{s:4:"home";s:25:"http://new.example.org/æ";}',
  )
})

test('replaces the domain of cookies and names in patterns', () => {
  for (const [before, after] of [
    ["define( 'COOKIE_DOMAIN', '.old.example' );", "define( 'COOKIE_DOMAIN', '.new.example.org' );"],
    ['SESSION_DOMAIN=.old.example', 'SESSION_DOMAIN=.new.example.org'],
    ["['^old\\.example$', '^.+\\.old\\.example$']", "['^new\\.example\\.org$', '^.+\\.new\\.example\\.org$']"],
  ] as const)
    expect(made(before).text).toBe(after)
  for (const text of ["'.my.old.example'", "'^my-old\\.example$'", "'^old\\.example\\.com$'"])
    expect(made(text)).toEqual({ text, count: 0, lines: [] })
})

test('shows each changed line before and after, shortened around the name', () => {
  const { count, lines } = made(`one\n  at old.example and old.example\n${'x'.repeat(5000)} old.example`)
  expect(count).toBe(3)
  expect(lines[0]).toEqual({
    line: 2,
    before: 'at old.example and old.example',
    after: 'at new.example.org and new.example.org',
  })
  expect(lines[1]?.line).toBe(3)
  expect(lines[1]?.after).toContain('new.example.org')
  expect(lines[1]?.after.length).toBeLessThan(310)
})
