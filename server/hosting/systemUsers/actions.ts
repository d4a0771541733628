import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const systemUserEnsure = action('system-user.ensure', operations['system-user.ensure'], {
  title: 'System user',
  what: ({ username, limits }) => `Linux account ${username}, ${limits.memoryMb} MB, ${limits.cpuPercent}% CPU`,
})
export const systemUserRemove = action('system-user.remove', operations['system-user.remove'], {
  title: 'System user',
  what: ({ username }) => `Linux account ${username} is removed`,
})
export const systemUserRestore = action('system-user.restore', operations['system-user.restore'], {
  title: 'System user',
  what: ({ username }) => `Linux account ${username} is restored from the trash`,
})
export const phpPoolEnsure = action('php-pool.ensure', operations['php-pool.ensure'], {
  title: 'PHP pool',
  what({ phpVersion, maxChildren, website, parameters: { extensionsOn = [], extensionsOff = [], ...values } = {} }) {
    const set = Object.entries(values).map(([name, value]) => `${name} ${value}`)
    const loaded = [...extensionsOn.map((name) => `with ${name}`), ...extensionsOff.map((name) => `without ${name}`)]
    const whose = website === undefined ? 'own socket' : 'for this website alone'
    return [`PHP ${phpVersion}`, `${maxChildren} workers`, whose, ...loaded, ...set].join(', ')
  },
})
export const phpPoolRemove = action('php-pool.remove', operations['php-pool.remove'], {
  title: 'PHP pool',
  what: ({ username, phpVersion }) => `${username}-${phpVersion} is removed`,
})
export const phpPoolRenew = action('php-pool.renew', operations['php-pool.renew'], {
  title: 'PHP pool',
  what: ({ username, back }) =>
    `all PHP of ${username} restarts ${back ? 'if this is rolled back' : 'with the present files'}`,
})
