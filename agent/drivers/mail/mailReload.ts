import { merged, must, service } from '../../kit/host.ts'

/** Makes a running Postfix read its files again. */
export const reloadPostfix = (): Promise<void> =>
  merged('reload of Postfix', async () => {
    if ((await service('postfix@-').settled()) === 'active') await must(['postfix', 'reload'])
  })

/** Makes a running Dovecot read its files again. */
export const reloadDovecot = (): Promise<void> =>
  merged('reload of Dovecot', async () => {
    if ((await service('dovecot').settled()) === 'active') await must(['doveadm', 'reload'])
  })
