import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Driver } from '../../kit/driver.ts'
import {
  answers,
  comesBack,
  ensureDirectory,
  exclusive,
  hasSystemd,
  must,
  read,
  reloadUnits,
  replace,
  service,
  until,
} from '../../kit/host.ts'
import { hideProcesses } from '../accounts/cronUnit.ts'
import { foreign } from '../nginx/foreign.ts'
import { idleSocket, masterUnit, poolFolder, sharedFolder } from './phpPoolFile.ts'

/**
 * php-fpm of one version. With systemd, each account has its own master in its slice: limits apply, and a faulty pool
 * affects one account. Debian's shared master also runs, for foreign pools and for servers without systemd. A drop-in
 * protects it: without the drop-in, a reload with one faulty pool returns 0 and ends every pool, and without any pool
 * php-fpm would not start.
 */
export const php: Driver<'php.ensure'> = {
  run: ({ input: { phpVersion: version }, say, fence }) =>
    exclusive('php', async () => {
      const program = `/usr/sbin/php-fpm${version}`
      if (!existsSync(program)) throw new Error(`PHP ${version} is not installed: its packages come first`)
      fence()
      let changed = false
      for (const [file, text] of Object.entries(files(version))) {
        await ensureDirectory(dirname(file))
        changed = (await replace(file, text)) || changed
      }
      await ensureDirectory(poolFolder(version), { mode: 0o700 })
      await hideProcesses()
      if (hasSystemd() && changed) await reloadUnits()
      if (hasSystemd()) await restartOutdated(version, say)
      await must([program, '--test'])
      const shared = service(`php${version}-fpm`)
      await shared.enable()
      await comesBack(`php${version}-fpm`)
      fence()
      if ((await shared.settled()) !== 'active') await shared.start()
      else if (!(await answers(idleSocket(version)))) {
        // a reload ends requests of websites that are not Innkeeper's; the pool comes with the next start
        if (foreign().hasPhp) say(`PHP ${version} serves others here and is not reloaded`)
        else await shared.reload()
      }
      if (!foreign().hasPhp) await opensSocket(version)
      const [said = ''] = (await must([program, '--version'])).split('\n')
      say(said)
      return { version: said.match(/^PHP (\S+)/)?.[1] ?? version }
    }),
  /** Keeps the service, because other websites may need it meanwhile. */
  async undo({ input, say }) {
    say(`PHP ${input.phpVersion} stays, because others may need it by now`)
  },
  async inspect({ input: { phpVersion: version }, task }) {
    if (task === 'undo') return 'yes'
    for (const [file, text] of Object.entries(files(version))) if ((await read(file)) !== text) return 'no'
    const isUp = (await service(`php${version}-fpm`).state()) === 'active'
    return isUp && (foreign().hasPhp || (await answers(idleSocket(version)))) ? 'yes' : 'no'
  },
}

/** Masters that run with the unit file of an older agent, whose protection a reload does not add. */
async function restartOutdated(version: string, say: (line: string) => void): Promise<void> {
  const unit = await stat(`/etc/systemd/system/innkeeper-php${version}@.service`)
  const listed = await must([
    'systemctl',
    'list-units',
    '--plain',
    '--no-legend',
    '--state=running',
    `innkeeper-php${version}@*`,
  ])
  const running = listed.split('\n').flatMap((line) => line.match(/^innkeeper-php\S+\.service(?= )/)?.[0] ?? [])
  if (!running.length) return
  const show = ['systemctl', 'show', '--timestamp=unix', '--property=Id,ExecMainStartTimestamp'] as const
  for (const one of (await must([...show, ...running])).split('\n\n')) {
    const name = one.match(/^Id=(\S+)\.service$/m)?.[1]
    const began = Number(one.match(/^ExecMainStartTimestamp=@(\d+)$/m)?.[1])
    if (!name || began * 1000 >= unit.mtimeMs - 1000) continue
    await service(name).restart()
    say(`${name} runs with its new unit`)
  }
}

const opensSocket = (version: string): Promise<void> =>
  until({
    what: `PHP ${version} opens its socket`,
    unit: `php${version}-fpm`,
    async look() {
      if (!(await answers(idleSocket(version)))) throw new Error(`php${version}-fpm runs but does not open its socket`)
    },
  })

const files = (version: string): Record<string, string> => ({
  [`${sharedFolder(version)}/innkeeper-idle.conf`]: `; Written by Innkeeper: php-fpm does not start without a pool.
[innkeeper-idle]
user = nobody
group = nogroup
listen = ${idleSocket(version)}
listen.owner = root
listen.mode = 0600
pm = ondemand
pm.max_children = 1
`,
  ...(hasSystemd() && {
    [`/etc/systemd/system/innkeeper-php${version}@.service`]: masterUnit(version),
    [`/etc/systemd/system/php${version}-fpm.service.d/innkeeper.conf`]: `# Written by Innkeeper: a bad pool is found before it ends all others.
[Service]
ExecReload=
ExecReload=/usr/sbin/php-fpm${version} --test
ExecReload=/bin/kill -USR2 $MAINPID
`,
  }),
})
