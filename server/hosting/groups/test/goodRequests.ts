import type { Good } from '../../../test/hostile/good.ts'

export const groups: Good<'groups'> = {
  create: ({ id }) => ({ id: 100, ownerId: id('owners', 'Kari'), mainWebsite: id('websites', 'active.example.org') }),
  update: ({ id }) => ({ id: id('website_groups'), ids: [id('websites', 'grouped.example.org')] }),
  owner: ({ id }) => ({ id: id('website_groups'), newOwner: id('owners', 'Lars') }),
  remove: ({ id }) => ({ id: id('website_groups') }),
}
