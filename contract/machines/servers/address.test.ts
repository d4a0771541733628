import { expect, it } from 'vitest'
import { zoneOptions } from '../../net/dns/options.ts'
import { servers } from './calls.ts'

/** Whoever names the address of a server lets Innkeeper ask it, and reads what it answers: as page, as status, as found word. */
it.each([
  ...['169.254.169.254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', 'fe80::1', 'fd00:ec2::254'],
  ...['0.0.0.0', '::', '224.0.0.1', '255.255.255.255', 'ff02::1'],
])('no server has an address that is no machine’s: %s', (address) => {
  for (const { schemas } of [servers.create, servers.update])
    expect(schemas.body?.shape.address.safeParse(address)).toMatchObject({ success: false })
  expect(zoneOptions.shape.outside.safeParse([address]).success).toBe(false)
})

it.each([
  '10.0.0.5',
  '192.168.1.2',
  '127.0.0.1',
  '203.0.113.7',
  '2001:db8::1',
  'fd12:3456::1',
])('a server may have a private address: %s', (address) => {
  expect(servers.create.schemas.body?.shape.address.safeParse(address).success).toBe(true)
  expect(zoneOptions.shape.outside.safeParse([address]).success).toBe(true)
})
