import type { Driver } from '../../kit/driver.ts'
import {
  converse,
  ensureBase,
  ensureDirectory,
  hasSystemd,
  makeOwnCertificate,
  must,
  putInPlace,
  read,
  replace,
  run,
} from '../../kit/host.ts'
import { front } from './ftpFront.ts'
import { folder, ownCertificate, ownKey, passwd, transferLog, unit, userDatabase } from './ftpPlaces.ts'
import { certificateScript, gateScript, rotation, settings, units } from './ftpTexts.ts'

const root = { uid: 0, gid: 0 }
const systemd = '/etc/systemd/system'
const helpers = { [`${unit}-gate`]: units.gate, [`${unit}-certificates`]: units.certificates }

/** pure-ftpd with logins of its own, confined to folders of websites; see decision 0048. */
const base = ensureBase<'ftp.ensure'>(({ plain }) => ({
  title: 'FTP',
  unit,
  program: '/usr/sbin/pure-ftpd',
  files: {
    [`${folder}/pure-ftpd.conf`]: { text: settings(plain) },
    [`${folder}/gate`]: { text: gateScript, mode: 0o700, owner: root },
    [`${folder}/certificates`]: { text: certificateScript, mode: 0o700, owner: root },
    [`${systemd}/${unit}.service`]: { text: units.ftp },
    [`${systemd}/${unit}-gate.service`]: { text: units.gate },
    [`${systemd}/${unit}-certificates.service`]: { text: units.certificates },
  },
  judge: ['systemctl', 'daemon-reload'],
  prepare: makeReady,
  probe: () => greets(plain),
}))

export const ensureFtp: Driver<'ftp.ensure'> = {
  async run(c) {
    if (!hasSystemd()) throw new Error('FTP needs systemd, which this server lacks')
    c.fence()
    await silenceDebians()
    if (c.input.before) return c.say('FTP starts with the settings of Innkeeper only')
    await base.run(c)
    await front.run(c)
  },
  undo: (c) => base.undo(c),
  async inspect(c) {
    if (c.input.before) return 'no' // a repeat is harmless
    const is = await base.inspect(c)
    return is === 'yes' ? front.inspect(c) : is
  },
}

/** Keeps the services of the packages from starting: they admit system accounts, and without TLS. */
async function silenceDebians(): Promise<void> {
  for (const name of ['pure-ftpd', 'inetd', 'openbsd-inetd']) {
    const state = await run(['systemctl', 'is-enabled', `${name}.service`])
    if (state.stdout.trim() !== 'masked') await must(['systemctl', 'mask', '--now', '--quiet', `${name}.service`])
  }
}

/** Stops helpers with an outdated unit: the restart of the service starts them again. */
async function makeReady(): Promise<boolean> {
  await ensureDirectory(folder, { mode: 0o700 })
  await ensureDirectory('/var/log/innkeeper-ftp', { mode: 0o750 })
  await replace('/etc/logrotate.d/innkeeper-ftp', rotation)
  if ((await read(transferLog)) === undefined) await replace(transferLog, '', { mode: 0o600 })
  if ((await read(ownCertificate)) === undefined) await makeOwnCertificate({ certificate: ownCertificate, key: ownKey })
  if ((await read(passwd)) === undefined) await replace(passwd, '', { mode: 0o600 })
  await rebuild()
  for (const [name, text] of Object.entries(helpers)) {
    const now = await read(`${systemd}/${name}.service`)
    if (now !== undefined && now !== text) await run(['systemctl', 'stop', `${name}.service`]) // it may be down
  }
  return false
}

/** Compiles the logins into the database that pure-ftpd reads at each sign-in. On a full disk the former one stays. */
export async function rebuild(): Promise<void> {
  const aside = `${userDatabase}.new`
  await must(['pure-pw', 'mkdb', aside, '-f', passwd])
  await putInPlace(aside, userDatabase)
}

/** Asks as a client: without TLS, a name is refused before a password is sent, unless plain FTP is allowed. */
async function greets(plain: boolean): Promise<string> {
  const until = /^\d{3} .*\r\n/m
  const [greeting = '', answer = ''] = await converse('127.0.0.1', 21, [{ until }, { say: 'USER nobody_here', until }])
  if (!greeting.includes('220 ')) throw new Error(`port 21 greets with ${greeting}`)
  if (plain !== answer.startsWith('331')) throw new Error(`port 21 answers a client without TLS: ${answer.trim()}`)
  return `port 21 ${plain ? 'admits clients with and without TLS' : 'admits clients with TLS only'}`
}
