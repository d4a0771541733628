import type { Good } from '../../../test/hostile/good.ts'

export const dns: Good<'dns'> = {
  create: ({ id }) => ({
    domain: 'fresh.example.org',
    active: true,
    templateId: id('dns_templates'),
    address: '10.77.1.21',
  }),
  transfer: { domain: 'elsewhere.example.org', host: '192.0.2.53' },
  remove: ({ id }) => ({ zoneId: id('zones', 'hidden.example.org') }),
  update: ({ id }) => ({ id: id('zones', 'off.example.org'), adminOnly: false, dnssec: true }),
  rollKey: ({ id }) => ({ id: id('zones', 'signed.example.org'), step: 'begin' }),
  exportKeys: ({ id }) => ({ id: id('zones', 'off.example.org') }),
  activate: ({ id }) => ({ id: id('zones', 'off.example.org') }),
  sync: {},
  revert: ({ id }) => {
    const zone = id('zones', 'changed.example.org')
    return { id: zone, change: id('zone_changes', { zone_id: zone, kind: 'edit' }) }
  },
  updateRecords: ({ id }) => {
    const zone = id('zones', 'off.example.org')
    return { zoneId: zone, delete: [id('records', { zone_id: zone, content: 'ns2.innkeeper.example.' })] }
  },
  promote: ({ id }) => ({ ids: [id('departments', 'Not yet')] }),
  demote: ({ id }) => ({ ids: [id('departments', 'Names')] }),
  addTemplate: { name: 'Fresh', records: [{ name: 'www', type: 'A', ttl: 300, priority: null, content: '192.0.2.1' }] },
  updateTemplate: ({ id }) => ({ id: id('dns_templates'), name: 'Renamed' }),
  removeTemplate: ({ id }) => ({ id: id('dns_templates') }),
  updateSettings: ({ id }) => ({ primaryServerId: id('servers', 'empty-1') }),
}
