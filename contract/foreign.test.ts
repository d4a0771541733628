import { expect, it } from 'vitest'
import { slowness } from '../bin/nasty.ts'
import { countSegments } from './desk/sms/segments.ts'
import { fillIn, misfit, tidy, toE164 } from './desk/sms/text.ts'
import { readCsv } from './kit/csvText.ts'
import * as values from './kit/values.ts'
import { readNetwork } from './machines/ipsets/networks.ts'
import { decoded } from './net/dns/numberedData.ts'
import { readRecord } from './net/dns/records.ts'
import { quoteTxt, unquote } from './net/dns/txt.ts'
import { parseZoneFile } from './net/dns/zoneFile.ts'
import { linesOf } from './net/dns/zoneLines.ts'
import { readFilter } from './quality/qc/filterText.ts'

/** What reads text of others: files that people bring, fields without a short limit, answers of other servers. */
const parsers: Record<string, (text: string) => unknown> = {
  'zone file': (text) => parseZoneFile(text, 'example.org'),
  'lines of a zone file': linesOf,
  'a record': (text) => readRecord({ name: '@', type: 'CAA', ttl: 3600, content: text } as never, 'example.org'),
  'numbered data': (text) => decoded('TYPE65', ['\\#', '10', text]),
  'quoted strings': unquote,
  'a TXT record': quoteTxt,
  network: readNetwork,
  'filter of chats': readFilter,
  'segments of a text message': countSegments,
  'placeholders of a text message': (text) => [misfit(text, ['name']), fillIn(text, { name: 'Ada' }), tidy(text)],
  'phone number': toE164,
  'CSV file': readCsv,
  ...Object.fromEntries(
    Object.entries(values).flatMap(([name, schema]) =>
      typeof schema === 'object' && 'safeParse' in schema
        ? [[`value ${name}`, (text: string) => schema.safeParse(`/${text}`)]]
        : [],
    ),
  ),
}

it.each(Object.entries(parsers))('reads a megabyte of anything in linear time: %s', (_, parse) => {
  expect(slowness(parse)).toEqual([])
})
