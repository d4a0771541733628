import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { App } from '../../../kit/app/app.ts'
import { enrolByName, practiceServer } from './practiceServer.ts'

const HERE = 'this-machine'

/** Why this machine cannot be the practice server; undefined if it can. */
export async function hereObstacle(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'Innkeeper does not run as root'
  if (!existsSync('/usr/bin/apt-get'))
    return 'There is no apt-get on this machine: add a Debian server by its enrolment command instead'
  if (!existsSync('/usr/bin/curl')) return 'There is no curl on this machine: install it with apt-get install curl'
  return (await portFree(80)) ? undefined : 'Port 80 of this machine is in use'
}

const portFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })

/** Enrols this machine itself with the enrolment command. */
export async function installHere(app: App): Promise<void> {
  await practiceServer(app, { name: HERE, address: '127.0.0.1', type: 'web' })
  const command = await enrolByName(app, HERE, '127.0.0.1')
  const installer = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [installer.stdout, installer.stderr])
    stream.on('data', (part: Buffer) => {
      said = (said + part.toString('utf8')).slice(-2000)
    })
  const code = await new Promise((resolve) => installer.once('close', resolve))
  if (code !== 0) throw new Error(`The agent could not be installed here: ${said.trim().slice(-400)}`)
}
