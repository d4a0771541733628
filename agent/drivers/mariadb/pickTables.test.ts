import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { pickTables } from './pickTables.ts'

const section = (title: string, body: string) => `--\n-- ${title}\n--\n\n${body}\n`
const table = (name: string, rows: string) =>
  `${section(`Table structure for table \`${name}\``, `DROP TABLE IF EXISTS \`${name}\`;\nCREATE TABLE \`${name}\` (\n  \`id\` int\n);`)}${section(`Dumping data for table \`${name}\``, `INSERT INTO \`${name}\` VALUES\n${rows};\n/*!50003 CREATE*/ /*!50003 TRIGGER \`${name}_t\` */;`)}`
const footer = `/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;\n-- Dump completed\n`
const dump = [
  '-- MariaDB dump\n/*!40014 SET FOREIGN_KEY_CHECKS=0 */;\n',
  table('first', `(1,'${'x'.repeat(5000)}'),\n(2,'-- Table structure for table \`second\`')`),
  section('Temporary table structure for view `seen`', 'CREATE VIEW `seen` AS SELECT 1;'),
  table('second', `(3,'é')`),
  section('Dumping routines for database `shop`', 'CREATE PROCEDURE p() SELECT 2;'),
  footer,
].join('')

const run = async (tables: string[], size: number) => {
  const { through, missing } = pickTables(tables)
  const parts: Buffer[] = []
  for (let at = 0; at < Buffer.byteLength(dump); at += size) parts.push(Buffer.from(dump).subarray(at, at + size))
  return { made: await text(Readable.from(parts).pipe(through)), missing: missing() }
}

test.each([1, 7, 100, 100_000])('a table comes with its rows and triggers, in pieces of %i bytes', async (size) => {
  const { made, missing } = await run(['second'], size)
  expect(made).toContain('FOREIGN_KEY_CHECKS=0')
  expect(made).toContain("(3,'é');\n/*!50003 CREATE*/ /*!50003 TRIGGER `second_t` */;")
  expect(made).not.toMatch(/first|PROCEDURE|VIEW/)
  expect(made.endsWith(footer)).toBe(true)
  expect(missing).toEqual([])
  const other = await run(['first', 'third'], size)
  expect(other.made).toContain('x'.repeat(5000))
  expect(other.made).not.toMatch(/second_t|PROCEDURE|VIEW/)
  expect(other.missing).toEqual(['third'])
})
