import type { Good } from '../../../test/hostile/good.ts'

export const configs: Good<'configs'> = {
  collect: ({ id }) => ({ serverIds: [id('servers', 'web-1')] }),
  dismissLogs: ({ id }) => ({ ids: [id('config_resets', { status: 'done' })] }),
  remove: ({ id }) => ({ id: id('config_versions', { number: 1 }) }),
  reset: ({ id }) => ({ id: id('config_versions', { number: 2 }) }),
}
