import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { NoDatabase } from '../kit/db/failures.ts'
import { startError } from './startError.ts'

it('names the cause of a failed start', () => {
  const late = new DrizzleQueryError('select 1', [], new Error('timeout exceeded when trying to connect'))
  expect(startError(late)).toBe(
    'The database went away during the start: timeout exceeded when trying to connect. Start again once it answers.',
  )
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(startError(new NoDatabase('DATABASE_URL (db/x): refused', { cause: refused }))).toBe(
    'DATABASE_URL (db/x): refused',
  )
  const inUse = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', port: 4400 })
  expect(startError(inUse)).toContain('Port 4400 is in use')
  expect(startError(new Error('INNKEEPER_KEY is not set'))).toBe('INNKEEPER_KEY is not set')
})
