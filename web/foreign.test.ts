import { expect, it } from 'vitest'
import { slowness } from '../bin/nasty.ts'
import { blocksOf, spansOf } from './desk/trackers/formatting.ts'
import { mentionAt } from './kit/conversation/mentions.ts'
import { foundIn, markedParts } from './kit/conversation/messages.ts'
import { readBytes } from './kit/form/bytes.ts'
import { readCron } from './kit/form/cron.ts'
import { guessLocal, readTypedLocal } from './kit/form/dates.ts'
import { filled, unknownIn } from './kit/form/placeholders.ts'
import { splitLinks } from './kit/look/links.ts'
import { templated } from './net/dns/templates/template.ts'
import { readLines } from './net/dns/templates/templateLines.ts'

/** What reads text of others or pasted text in the browser. */
const parsers: Record<string, (text: string) => unknown> = {
  'links in a text': splitLinks,
  'a link': (text) => splitLinks(`https://example.org/${text}`),
  'blocks of a ticket': blocksOf,
  'formatting of a line': spansOf,
  'search marks': (text) => markedParts(text, text.slice(0, 3)),
  'messages with words': (text) => foundIn([{ id: '1', at: '', author: { name: '', isStaff: false }, text }], 'words'),
  'a mention': (text) => mentionAt(text, text.length),
  'lines of a DNS template': readLines,
  'records for a DNS template': (content) =>
    templated([{ id: 1, name: '@', type: 'TXT', ttl: 60, priority: null, content } as never], 'example.org'),
  size: (text) => readBytes(text, 'MiB'),
  cron: readCron,
  'day and time': (text) => [readTypedLocal(text), guessLocal(text, '2026-01-01', '09:00')],
  placeholders: (text) => [unknownIn(text, []), filled(text, [])],
}

it.each(Object.entries(parsers))('reads a megabyte of anything in linear time: %s', (_, parse) => {
  expect(slowness(parse)).toEqual([])
})
