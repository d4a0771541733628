import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, must } from '../../kit/host.ts'

/** Where repositories lie: a folder each. */
export const repositories = '/srv/innkeeper/repositories'
const program = '/usr/bin/restic'

/** restic has no service of its own: it is ready when something that was put into a repository here comes out again. */
export const restic: Driver<'restic.ensure'> = {
  async run({ say, fence }) {
    if (!existsSync(program)) throw new Error('restic is not installed: its package comes first')
    fence()
    await ensureDirectory('/srv/innkeeper')
    await ensureDirectory(repositories, { mode: 0o700 })
    const [version = ''] = (await must([program, 'version'])).split('\n')
    await keepsWhatItIsGiven()
    say(`${version}: a repository in ${repositories} gives back what it was given`)
    return { version: version.match(/^restic (\S+)/)?.[1] ?? version }
  },
  /** Repositories are the last thing to take away by a step back. */
  async undo({ say }) {
    say('restic and its repositories stay')
  },
  async inspect({ task }) {
    if (task === 'undo') return 'yes'
    return existsSync(program) && existsSync(repositories) ? 'yes' : 'no'
  },
}

/** A repository for a moment, with a password that nobody keeps. */
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
      throw new Error('restic gives back something else than it was given')
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
