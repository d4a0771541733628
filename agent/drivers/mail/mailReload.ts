import { merged, must, pidsNamed, service, until } from '../../kit/host.ts'

/** Makes a running Postfix read its files again. */
export const reloadPostfix = (): Promise<void> =>
  merged('reload of Postfix', async () => {
    if ((await service('postfix@-').settled()) === 'active') await must(['postfix', 'reload'])
  })

/**
 * Makes a running Postfix read its files again, and waits for the sessions that took a recipient by the former ones: their
 * messages are not in the queue yet. A session that stands still is not waited for.
 */
export async function endSessions(say: (line: string) => void): Promise<void> {
  const before = await pidsNamed('smtpd')
  await reloadPostfix()
  let left = before.length
  let least = left
  await until({
    what: 'sessions in which mail arrives end',
    unit: 'rspamd', // which judges their messages
    starting: async () => {
      const falls = left < least
      least = left
      return falls
    },
    async look() {
      const now = await pidsNamed('smtpd')
      left = before.filter((pid) => now.includes(pid)).length
      if (left) throw new Error(`${left} sessions in which mail may arrive stand still`)
    },
  }).catch((error: Error) => say(`${error.message}: they are not waited for`))
}

/** Makes a running Dovecot read its files again. */
export const reloadDovecot = (): Promise<void> =>
  merged('reload of Dovecot', async () => {
    if ((await service('dovecot').settled()) === 'active') await must(['doveadm', 'reload'])
  })
