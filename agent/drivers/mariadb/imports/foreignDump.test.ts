import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { foreignDump } from './foreignDump.ts'

const read = (dump: string, commitAfter?: number) =>
  text(Readable.from([Buffer.from(dump)]).pipe(foreignDump({ collations: new Set() }, [], commitAfter).through))
const row = (n: number) => `INSERT INTO a VALUES (${n});\n`

test('commits between statements, and lines keep their numbers', async () => {
  const dump = [1, 2, 3, 4, 5].map(row).join('')
  const size = row(1).length
  expect(await read(dump)).toBe(`${dump}\ncommit;\n`)
  expect(await read(dump, 2 * size - 1)).toBe(
    `${row(1)}${row(2)}commit; ${row(3)}${row(4)}commit; ${row(5)}\ncommit;\n`,
  )
})

test('commits by the delimiter of the place', async () => {
  const dump = `DELIMITER ;;\n${row(1).trim()};\n${row(2).trim()};\n`
  expect(await read(dump, 20)).toBe(`DELIMITER ;;\n${row(1).trim()};\ncommit;; ${row(2).trim()};\n\ncommit;;\n`)
})

test('ends a last statement that nothing ends before it commits', async () => {
  expect(await read('INSERT INTO a VALUES (1)')).toBe('INSERT INTO a VALUES (1);\ncommit;\n')
  expect(await read('-- nothing but a comment')).toBe('-- nothing but a comment\ncommit;\n')
})

test('leaves out what would not be allowed within the transactions of a load', async () => {
  const { through, facts } = foreignDump({ collations: new Set() })
  const dump = `${row(1)}SET TRANSACTION ISOLATION LEVEL READ COMMITTED;\nSET SESSION TRANSACTION READ ONLY;\n${row(2)}`
  expect(await text(Readable.from([Buffer.from(dump)]).pipe(through))).toBe(`${row(1)}\n\n${row(2)}\ncommit;\n`)
  expect(facts().findings.map(({ effect, topic }) => `${effect} ${topic}`)).toEqual([
    'left out server settings',
    'left out server settings',
  ])
})

test('takes no words in a text for a statement', async () => {
  const words = [
    ...['Hot, global warming', 'SET @a = 1, GLOBAL b = 2', 'select 1 INTO OUTFILE "x"', 'INSTALL SONAME "x"'],
    ...["it''s, persist y", "a \\', global x", ', sql_log_bin = 0', 'x'.repeat(2000)],
  ]
  const quoted = words.flatMap((text) => [`'${text}'`, `"${text.replaceAll('"', '""')}"`])
  const dump = [
    `INSERT INTO a VALUES (${quoted.join(', ')});\n`,
    ...quoted.map((text) => `INSERT INTO a VALUES (1, ${text}, 2);\n`),
    `CREATE TABLE a (b int COMMENT 'x, global y', c int);\n`,
    `UPDATE a SET b = 'x, global y INTO OUTFILE';\n`,
  ].join('')
  const { through, facts } = foreignDump({ collations: new Set() })
  expect(await text(Readable.from([Buffer.from(dump)]).pipe(through))).toBe(`${dump}\ncommit;\n`)
  expect(facts().findings).toEqual([])
})

test('leaves out and refuses what stands outside of texts', async () => {
  const { through, facts } = foreignDump({ collations: new Set() })
  const dump = `SET @a = 'x', GLOBAL b = 2;\nSET GLOBAL c = 1;\nSELECT 'x' INTO OUTFILE '/tmp/x';\nCREATE FUNCTION f RETURNS INT SONAME 'x.so';\n`
  await text(Readable.from([Buffer.from(dump)]).pipe(through))
  expect(facts().findings.map(({ effect, topic }) => `${effect} ${topic}`)).toEqual([
    ...['left out server settings', 'left out server settings'],
    ...['refused files of the server', 'refused server commands'],
  ])
})
