import { expect, test } from 'vitest'
import { databasesIn, withoutDatabases } from './otherDatabases.ts'
import { rule } from './rules.ts'

const view = 'CREATE VIEW `latest` AS select `old`.`guests`.`id` AS `id` from (`old`.`guests` join old.`words`)'
const judged = (text: string, ...readAs: string[]) =>
  rule(text, { collations: new Set() }, new Set(), undefined, new Set(readAs))

test('finds the databases that definitions name, and no tables, texts or comments', () => {
  expect(databasesIn(view)).toEqual(['old'])
  for (const text of [
    'CREATE VIEW v AS select `guests`.`id` AS `id` from `guests` join `words` on `words`.`id` = `guests`.`id`',
    "CREATE VIEW v AS select extract(year from `guests`.`at`), trim(leading 'x' from guests.who) from guests",
    "CREATE PROCEDURE p() BEGIN select 'from old.guests'; -- from old.guests\n /* join old.guests */ END",
    'CREATE TRIGGER t BEFORE INSERT ON g FOR EACH ROW insert into noted (who) values (NEW.who)',
    'CREATE VIEW v AS select table_name from information_schema.tables',
  ])
    expect(databasesIn(text), text).toEqual([])
})

test('refuses a view of another database, notes it in a routine, and reads it as the own one if asked', () => {
  expect(judged(view).findings).toEqual([{ effect: 'refused', topic: 'other database', what: 'old' }])
  const routine = "CREATE PROCEDURE p() select * from old.guests where who <> 'old.guests'"
  expect(judged(routine).findings).toMatchObject([{ effect: 'noted', topic: 'other database', what: 'old' }])
  expect(judged(routine, 'old').text).toBe("CREATE PROCEDURE p() select * from guests where who <> 'old.guests'")
  expect(judged(view, 'old')).toEqual({
    text: 'CREATE VIEW `latest` AS select `guests`.`id` AS `id` from (`guests` join `words`)',
    findings: [{ effect: 'rewritten', topic: 'database', what: 'without old before names' }],
  })
  expect(judged('INSERT INTO `old`.`t` VALUES (1)').findings[0]).toMatchObject({ effect: 'refused', what: 'old' })
  expect(judged('INSERT INTO `old`.`t` VALUES (1)', 'old').text).toBe('INSERT INTO `t` VALUES (1)')
})

test('reads long texts in linear time', () => {
  for (const text of [
    "'\\".repeat(100_000),
    'from `'.repeat(50_000),
    'a.'.repeat(100_000),
    '/* '.repeat(100_000),
    'extract('.repeat(50_000),
  ]) {
    databasesIn(`CREATE VIEW ${text}`)
    withoutDatabases(text, new Set(['a']))
  }
})
