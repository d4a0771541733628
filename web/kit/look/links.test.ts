import { expect, test } from 'vitest'
import { splitLinks } from './links.ts'

const links = (text: string) => splitLinks(text).flatMap((part) => part.href ?? [])

test('URLs in text become links, the surrounding text stays', () => {
  expect(splitLinks('see https://a.no/x now')).toEqual([
    { at: 0, text: 'see ' },
    { at: 4, text: 'https://a.no/x', href: 'https://a.no/x' },
    { at: 18, text: ' now' },
  ])
})

test('the punctuation after a URL is not part of it', () => {
  expect(links('Look at http://a.no. Or (https://b.no/c), or https://c.no/(d)!')).toEqual([
    'http://a.no',
    'https://b.no/c',
    'https://c.no/(d)',
  ])
})

test('only http and https become links', () => {
  expect(links('javascript:alert(1) ftp://a.no a.no mailto:x@a.no http://')).toEqual([])
})

test('no text is lost', () => {
  const text = 'a https://b.no/c?d=e#f, g\nhttp://h.no'
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})
