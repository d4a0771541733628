import { expect, it } from 'vitest'
import { slowness } from '../../../bin/nasty.ts'
import { instantOf } from '../../desk/trackers/exchange/days.ts'
import { fieldsOf } from '../../desk/trackers/exchange/otherTrackers.ts'
import { problemOf, words } from '../../desk/trackers/exchange/readLine.ts'
import { readKey } from '../../hosting/sftp/key.ts'
import { fromPreview, toPreview } from '../../hosting/websites/preview/rewriting.ts'
import { plainAddress } from '../../kit/http/address.ts'
import { parseQuery } from '../../kit/http/queryString.ts'
import { storyOf } from '../../net/mailboxes/story.ts'
import { readNames } from '../../net/ssl/certificates/names.ts'
import { certificatesIn, nameIn, readKey as readPrivateKey } from '../../net/ssl/certificates/read.ts'
import { textOfHtml } from '../../quality/qc/imports/adapters/html.ts'
import { readerOf } from '../../quality/qc/imports/adapters/xml.ts'

const previewed = { names: ['example.org', '*.example.org'], https: true, suffix: '.localhost:4444' }
const xmlIn = (text: string, step: number) => {
  const read = readerOf(() => {})
  read('<stream:stream>')
  for (let at = 0; at < text.length; at += step) read(text.slice(at, at + step))
}

/** What reads text of others: mail, answers of other servers, files that people bring, log lines that a sender words. */
const parsers: Record<string, (text: string) => unknown> = {
  'HTML of a mail': textOfHtml,
  'XML of a chat server': (text) => xmlIn(text, 65_536),
  'XML of a chat server in small pieces': (text) => xmlIn(`<message><body>${text}`, 100),
  'an attribute of a chat server': (text) => xmlIn(`<message a="${text}`, 1000),
  'mail log': (text) => storyOf('A', [{ at: '2026-01-01T00:00:00.000Z', by: 'postfix/smtp', text }]),
  'the end of a mail log line': (text) =>
    storyOf('A', [{ at: '', by: 'postfix/smtp', text: `to=<a>, status=sent (${text}` }]),
  'query string': (text) => parseQuery(text.slice(0, 16_384)), // Node refuses longer headers
  address: plainAddress,
  'public key': readKey,
  'private key': readPrivateKey,
  certificates: certificatesIn,
  'subject of a certificate': nameIn,
  'names of a certificate': (text) => readNames(text.split(/\s/).slice(0, 100), 'example.org'),
  'moment of a ticket': instantOf,
  'a heading of an import': (text) => fieldsOf([words(text, 100)]),
  'values of an import': (text) => problemOf({ title: text, due: text, created: text, estimate: text }, 'day-first'),
  'a page of a website in its preview': toPreview(previewed),
  'a request to a preview': fromPreview(previewed),
}

it.each(Object.entries(parsers))('reads a megabyte of anything in linear time: %s', (_, parse) => {
  expect(slowness(parse)).toEqual([])
})
