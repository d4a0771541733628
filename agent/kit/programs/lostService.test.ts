import { expect, test } from 'vitest'
import { isKilled, readStates } from './lostService.ts'

test('a service is killed while systemd starts it again, and once it has done so since the operation began', () => {
  const said = `Id=nginx.service
ActiveState=activating
SubState=auto-restart
NRestarts=0
ActiveEnterTimestampMonotonic=5

Id=dovecot.service
ActiveState=active
SubState=running
NRestarts=2
ActiveEnterTimestampMonotonic=1000
`
  const [nginx, dovecot] = readStates(said)
  expect([nginx!, dovecot!].map((one) => isKilled(one, 900))).toEqual([true, true])
  expect([nginx!, dovecot!].map((one) => isKilled(one, 1001))).toEqual([true, false])
  expect(isKilled({ ...dovecot!, NRestarts: '0' }, 900)).toBe(false) // people have restarted it
  expect(readStates('')).toEqual([])
})
