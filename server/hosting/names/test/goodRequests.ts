import type { Good } from '../../../test/hostile/good.ts'

export const names: Good<'names'> = {
  addAlias: ({ id }) => ({ id: id('websites', 'active.example.org'), domain: 'fresh.example.org', mode: 'redirect' }),
  setAlias: ({ id }) => ({ id: id('websites', 'alias.example.org'), mode: 'redirect' }),
  addSubwebsite: ({ id }) => ({ id: id('websites', 'renamed.example.org'), domain: 'fresh.renamed.example.org' }),
  rename: ({ id }) => ({ id: id('websites', 'active.example.org'), newDomain: 'fresh.example.org' }),
}
