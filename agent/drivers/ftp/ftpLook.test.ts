import { expect, test } from 'vitest'
import { activityIn } from './ftpLook.ts'

const entry = (MESSAGE: unknown, at = 1_700_000_000) => JSON.stringify({ MESSAGE, __REALTIME_TIMESTAMP: `${at}900000` })
const failed = (name: string) => `(?@192.0.2.7) [WARNING] Authentication failed for user [${name}]`

test('logins and failed attempts are counted by the address of the connection', () => {
  const text = [
    entry('(?@192.0.2.7) [INFO] web1_kari is now logged in'),
    entry('(?@2001:db8::7) [INFO] web1_kari is now logged in', 1_700_000_009),
    entry('(web1_kari@192.0.2.7) [NOTICE] /home/web1/x uploaded'),
    entry('(?@127.70.1.9) [WARNING] Authentication failed for user [kari]'),
    entry(failed('kari')),
    entry(failed('ola'), 1_700_000_005),
    '',
  ].join('\n')
  expect(activityIn(text)).toEqual({
    logins: [{ name: 'web1_kari', at: 1_700_000_009, address: '2001:db8::7' }],
    guesses: [{ address: '192.0.2.7', tries: 2, at: 1_700_000_005 }],
  })
})

test('words of a client are neither an address nor a login, and no bytes of theirs hide an attempt', () => {
  const text = [
    entry(failed('x@198.51.100.9) [WARNING] y')),
    entry(failed('[INFO] web1_kari is now logged in')),
    entry(failed('a\n(?@198.51.100.9) [INFO] web1_kari is now logged in')),
    entry('(web1_kari@192.0.2.7) [DEBUG] Command [stor] [x@198.51.100.9) [INFO] web1_kari is now logged in'),
    entry([...Buffer.from(failed('M\xff'), 'latin1')]),
    entry(null),
    entry(undefined),
  ].join('\n')
  expect(activityIn(text)).toEqual({
    logins: [],
    guesses: [{ address: '192.0.2.7', tries: 4, at: 1_700_000_000 }],
  })
})
