import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { until } from './until.ts'

/** The settings that docs/sms-gateway.md recommends. */
const forInnkeeper = (secret: string, replies: string) => `
group = sendsms-user
username = innkeeper
password = ${secret}
max-messages = 10
concatenation = true

group = sms-service
keyword = default
get-url = "${replies}"
max-messages = 0
catch-all = true
`

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

interface Wanted {
  folder: string
  /** The first of three free ports. */
  port: number
  operator: { port: number; isBound(): boolean }
  secret: string
  /** URL that receives the answers of recipients. */
  replies: string
}

/** Kannel as Debian ships it: a bearerbox that is connected to the operator, and a smsbox that accepts requests. */
export async function openKannel({ folder, port, operator, secret, replies }: Wanted) {
  mkdirSync(join(folder, 'reports'), { recursive: true })
  const file = join(folder, 'kannel.conf')
  writeFileSync(
    file,
    `group = core
admin-port = ${port}
admin-password = ${secret}
admin-allow-ip = 127.0.0.1
smsbox-port = ${port + 1}
box-allow-ip = 127.0.0.1
log-file = ${folder}/bearerbox.log
log-level = 2
access-log = ${folder}/operator.log
dlr-storage = spool
dlr-spool = ${folder}/reports

group = smsc
smsc = smpp
smsc-id = operator
host = 127.0.0.1
port = ${operator.port}
transceiver-mode = true
smsc-username = innkeeper
smsc-password = operator
system-type = ""
max-pending-submits = 1
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${port + 2}
http-request-retry = 100
http-queue-delay = 1
log-file = ${folder}/smsbox.log
log-level = 2
access-log = ${folder}/access.log
${forInnkeeper(secret, replies)}`,
  )
  const started: ChildProcess[] = []
  const start = (name: string) => {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', `/usr/sbin/${name}`, file], { stdio: 'ignore' })
    started.push(child)
  }
  const open = async () => {
    start('bearerbox')
    await until('Kannel is bound to the operator', async () => operator.isBound())
    // a smsbox ends when it finds no bearerbox, and the bearerbox binds to the operator first
    await until('Kannel takes boxes', () => answers(port + 1))
    start('smsbox')
    await until('Kannel takes requests', () => answers(port + 2))
  }
  const kill = async () => {
    // one that ended by itself, as smsbox does without its bearerbox, says so no second time
    const running = started.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const ended = running.map((child) => once(child, 'exit'))
    for (const child of running.reverse()) child.kill('SIGKILL')
    await Promise.all(ended)
  }
  await open()
  const linesOf = (log: string, wanted: RegExp) =>
    readFileSync(join(folder, log), 'utf8')
      .split('\n')
      .flatMap((line) => wanted.exec(line)?.[1] ?? [])
  return {
    url: `http://127.0.0.1:${port + 2}`,
    /** Telephone numbers in Kannel's log of messages that the operator accepted. */
    sent: () => linesOf('operator.log', / Sent SMS .*\[to:([^\]]*)\]/),
    /** Telephone numbers in Kannel's log of requests. */
    asked: () => linesOf('access.log', /send-SMS request added .*target:([+\d]*)/),
    /** Ends it with kill -9. */
    kill,
    open,
    close: kill,
  }
}
