import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Foreign } from './foreign.ts'
import { placesOf } from './listening.ts'

const six = existsSync('/proc/net/if_inet6') ? ['[::]:80'] : []
const foreign = (addresses: string[], everywhere: '80'[] = []): Foreign => ({
  ...{ addresses, everywhere: new Set(everywhere), defaults: new Set(), settings: new Set(), hasPhp: false },
})

it('listens on every address, unless somebody else listens on one alone', () => {
  const everywhere = { listens: ['80', ...six], refuses: ['80', ...six] }
  const both = { listens: ['80', ...six, '192.0.2.1:80'], refuses: ['80', ...six] }
  const alone = { listens: ['127.0.0.1:80', '192.0.2.1:80', ...six], refuses: ['127.0.0.1:80', ...six] }
  expect(placesOf('80', foreign([]), '')).toEqual(everywhere)
  expect(placesOf('80', foreign(['192.0.2.1:443']), '')).toEqual(everywhere)
  expect(placesOf('80', foreign(['192.0.2.1:80'], ['80']), '')).toEqual(both)
  expect(placesOf('80', foreign(['192.0.2.1:80']), '')).toEqual(alone)
  // what nginx has open stays: a change of this kind needs a restart
  expect(placesOf('80', foreign(['192.0.2.1:80']), 'listen 80;\n')).toEqual(both)
  expect(placesOf('80', foreign([]), 'listen 127.0.0.1:80;\nlisten 192.0.2.1:80;\n')).toEqual(alone)
  expect(placesOf('80', foreign(['192.0.2.1:80', '[2001:db8::1]:80']), '')).toEqual({
    listens: ['127.0.0.1:80', '192.0.2.1:80', '[2001:db8::1]:80'],
    refuses: ['127.0.0.1:80'],
  })
})
