import { expect, it } from 'vitest'
import { loginLine } from './words.ts'

it('the connection line of a timed login starts the client of the database engine', () => {
  expect(loginLine({ engine: 'mariadb', name: 'shop' }, 'login_1', 'secret')).toBe(
    'MYSQL_PWD=secret mariadb --user=login_1 shop',
  )
  expect(loginLine({ engine: 'postgresql', name: 'shop' }, 'login_1', 'secret')).toBe(
    'PGPASSWORD=secret psql --username=login_1 shop',
  )
})
