import type { servers as contract } from '@innkeeper/contract/machines/servers/calls'
import type { Practice } from '@innkeeper/contract/machines/servers/shapes'
import type { App, PracticeServers } from '../../../kit/app/app.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { hereObstacle, installHere } from './here.ts'
import { type PracticeLab, startLab } from './practiceLab.ts'

/** Handlers of the calls for practice servers. */
export const practiceHandlers: Pick<Handlers<typeof contract>, 'practice' | 'addPractice' | 'useThisMachine'> = {
  practice: async (_, { app }) => app.practice?.state() ?? off(app),
  async addPractice({ type }, { app }) {
    if (!app.practice) throw refused('This node serves no practice servers')
    return app.practice.add(type)
  },
  async useThisMachine(_, { app }) {
    if (!app.practice) throw refused('This node serves no practice servers')
    return app.practice.useHere()
  },
}

const off = (app: App): Practice => ({
  state: 'off',
  text: '',
  done: 0,
  total: 0,
  previewPort: app.settings.previewPort,
  more: false,
})

/**
 * The practice servers of an embedded start. A child process builds and boots the hosts; this process inserts their
 * server rows and sends the enrolment commands. The hosts stop when the child's standard input closes, which also
 * happens if this process crashes.
 */
export function startPractice(app: App): PracticeServers {
  const now = off(app)
  let starting: Promise<PracticeLab | undefined> | undefined
  let lab: PracticeLab | undefined
  const tell = (to: Partial<Practice>) => {
    Object.assign(now, to)
    changed(app.db, 'practice').catch((error) =>
      app.log.warn({ err: error }, 'practice: the screens could not be notified'),
    )
  }
  const fail = (error: unknown) => {
    app.log.error({ err: error }, 'practice')
    tell({ state: 'unable', text: error instanceof Error ? error.message : String(error) })
  }
  const useHere = async () => {
    const obstacle = await hereObstacle()
    if (obstacle) throw refused(obstacle)
    tell({ state: 'enrolling', text: 'Installing the agent on this machine', done: 0, total: 1 })
    installHere(app).then(() => tell({ state: 'ready', text: 'This machine is the practice server', done: 1 }), fail)
    return now
  }
  if (app.settings.practice === 'here') useHere().catch(fail)
  if (app.settings.practice === 'on') {
    tell({ state: 'building', text: 'Checking whether this machine can run practice servers' })
    starting = startLab(app, now, tell, fail).then(
      (started) => {
        lab = started
        return started
      },
      (error: unknown) => {
        fail(error)
        return undefined
      },
    )
  }
  const state = (): Practice => ({ ...now, more: now.state === 'ready' && lab?.isFull() === false })
  return {
    state,
    useHere,
    async add(type) {
      if (!lab || now.state !== 'ready') throw refused(now.text || 'This installation makes no practice servers')
      if (lab.isFull()) throw refused('There are enough practice servers for one machine')
      await lab.add(type)
      return state()
    },
    async stop() {
      now.state = 'off'
      await (await starting)?.stop()
    },
  }
}
