import { expect, test } from 'vitest'
import { errorIn as inMariadb } from '../mariadb/databaseQuery.ts'
import { errorIn } from './query.ts'

test('errors of the console name the time limit, and repeat only what the person typed', () => {
  const late = /^the statement was stopped at its time limit: ERROR/
  expect(inMariadb('--\nselect 1\n--\n\nERROR 1969 (70100) at line 1: Query execution was interrupted')).toMatch(late)
  expect(errorIn('ERROR:  canceling statement due to statement timeout')).toMatch(late)
  const wrong = 'ERROR:  column "x" does not exist\nLINE 1: declare ik_console no scroll cursor for select x\n    ^'
  expect(errorIn(wrong)).toBe('ERROR:  column "x" does not exist\nLINE 1: select x')
})
