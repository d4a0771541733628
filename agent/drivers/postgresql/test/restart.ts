import { expect, test } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'

/** Tests of the service itself, on the host of `database.test.ts`. */
export function restartTests(of: () => Practice<Host>) {
  test('comes back after it ended by a failure, and stays stopped when people stop it', async () => {
    const psql = ['runuser', '-u', 'postgres', '--', 'psql', '-c', 'select 1']
    const answers = async () => (await of().host.exec(psql)).code === 0
    const version = (await of().sh('ls', '/etc/postgresql')).trim()
    const unit = `postgresql@${version}-main`
    await of().sh('systemctl', 'kill', '--kill-whom=main', '--signal=ABRT', unit)
    await expect.poll(answers).toBe(false)
    await expect.poll(answers).toBe(true)
    await of().sh('systemctl', 'stop', unit)
    expect(await of().sh('systemctl', 'show', '--value', '--property=ActiveState', unit)).toBe('inactive\n')
    await of().sh('systemctl', 'start', unit)
    await expect.poll(answers).toBe(true)
  })
}
