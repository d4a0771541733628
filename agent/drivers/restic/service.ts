import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, exclusive, must } from '../../kit/host.ts'

/** Each repository has a folder here. */
export const repositories = '/srv/innkeeper/repositories'
const program = '/usr/bin/restic'

/** restic has no service. It is ready when a repository here restores a file that was backed up. */
export const restic: Driver<'restic.ensure'> = {
  run: ({ say, fence }) =>
    exclusive('the test of restic', async () => {
      if (!existsSync(program)) throw new Error('restic is not installed: its package comes first')
      fence()
      await ensureDirectory('/srv/innkeeper')
      await ensureDirectory(repositories, { mode: 0o700 })
      const [version = ''] = (await must([program, 'version'])).split('\n')
      await keepsWhatItIsGiven()
      say(`${version}: a repository in ${repositories} restores what it backs up`)
      return { version: version.match(/^restic (\S+)/)?.[1] ?? version }
    }),
  /** Undo never removes repositories. */
  async undo({ say }) {
    say('restic and its repositories stay')
  },
  async inspect({ task }) {
    if (task === 'undo') return 'yes'
    return existsSync(program) && existsSync(repositories) ? 'yes' : 'no'
  },
}

/** Backs up and restores one file in a temporary repository, whose password is not stored. */
async function keepsWhatItIsGiven(): Promise<void> {
  const place = `${repositories}/.probe`
  const content = randomBytes(4096).toString('base64')
  const env = { RESTIC_PASSWORD: randomBytes(16).toString('hex'), RESTIC_REPOSITORY: place }
  const ask = (args: string[], input?: string) => must([program, '--no-cache', '--quiet', ...args], { env, input })
  await rm(place, { recursive: true, force: true })
  try {
    await ask(['init'])
    await ask(['backup', '--stdin', '--stdin-filename', 'probe'], content)
    if ((await ask(['dump', 'latest', '/probe'])) !== content)
      throw new Error('restic restored other content than it had backed up')
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
