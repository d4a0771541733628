import type { Good } from '../../../test/hostile/good.ts'
import { chainFor } from './chain.ts'

export const ssl: Good<'ssl'> = {
  order: ({ id }) => ({ id: id('websites', 'active.example.org') }),
  custom: async ({ id }) => {
    const { root, middle, leaf } = await chainFor(['grouped.example.org', 'www.grouped.example.org'])
    const websiteId = id('websites', 'grouped.example.org')
    return { websiteId, certificate: leaf.pem, key: leaf.key, ca: middle.pem + root.pem }
  },
  selfSigned: ({ id }) => ({ websiteId: id('websites', 'active.example.org'), autoRenew: false }),
  letsEncrypt: ({ id }) => ({ websiteId: id('websites', 'active.example.org') }),
  renew: ({ id }) => ({ id: id('certificates', 'self-signed') }),
  settings: ({ id }) => ({ id: id('certificates', 'custom'), vhostAliases: true }),
  install: ({ id }) => ({ id: id('certificates', 'custom') }),
  uninstall: ({ id }) => ({ id: id('websites', 'grouped.example.org') }),
  remove: ({ id }) => ({ id: id('certificates', 'self-signed') }),
}
