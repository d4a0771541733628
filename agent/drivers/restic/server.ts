import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import {
  ensureDirectory,
  exclusive,
  hasSystemd,
  must,
  patience,
  read,
  reloadUnits,
  remove,
  replace,
  run,
  service,
  until,
} from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { home, owner, ownerAccount } from './ask.ts'
import { restServer } from './program.ts'

/** Not below /etc/innkeeper, which only root can read, because rest-server runs as another account. */
const settings = '/etc/innkeeper-backup'
export const passwords = `${settings}/htpasswd`
const [keyFile, certificateFile] = [`${settings}/key.pem`, `${settings}/certificate.pem`]
const unit = 'innkeeper-rest-server'
const unitFile = `/etc/systemd/system/${unit}.service`
const YEARS = 20

/** `--append-only`: a machine that was taken over cannot remove its former backups. Maintenance runs on this server. */
const unitText = (listen: string) => `# Written by Innkeeper.
[Unit]
Description=Backup repositories
After=network-online.target
Wants=network-online.target

[Service]
User=${owner}
ExecStart=${restServer} --path ${home} --listen ${listen} --tls --tls-cert ${certificateFile} --tls-key ${keyFile} --private-repos --append-only --htpasswd-file ${passwords}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=2
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${home}
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
`
const listenOf = ({ address, port }: { address: string; port: number }) =>
  `${address.includes(':') ? '[::]' : '0.0.0.0'}:${port}`

export const ensureServer: Driver<'backup-server.ensure'> = {
  run: (c) =>
    exclusive('backup-server', async () => {
      if (!hasSystemd()) throw new Error('a backup server needs systemd, which this server lacks')
      if (!existsSync(restServer)) throw new Error('rest-server is not installed: the backup program comes first')
      c.fence()
      if (!(await accountOf(owner)))
        await must([
          'useradd',
          '--system',
          '--home-dir',
          home,
          '--no-create-home',
          '--shell',
          '/usr/sbin/nologin',
          owner,
        ])
      const account = await ownerAccount()
      await ensureDirectory('/srv/innkeeper')
      await ensureDirectory(home, { mode: 0o700, owner: account })
      await ensureDirectory(settings, { mode: 0o750, owner: { uid: 0, gid: account.gid } })
      await ensureCertificate(c.input.address, account.gid)
      if ((await read(passwords)) === undefined)
        await replace(passwords, '', { mode: 0o640, owner: { uid: 0, gid: account.gid } })
      const changed = await replace(unitFile, unitText(listenOf(c.input)))
      if (changed) await reloadUnits()
      await service(unit).enable()
      c.fence()
      if (changed || (await service(unit).state()) !== 'active') await service(unit).restart()
      await answering(c.input)
      const certificate = (await read(certificateFile)) ?? ''
      const fingerprint = createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex')
      c.say(`rest-server answers on ${c.input.address}:${c.input.port} over TLS`)
      return { certificate, fingerprint }
    }),
  /** Undo stops it. Repositories stay. */
  undo: (c) => exclusive('backup-server', () => stop(c)),
  async inspect({ task }) {
    if (task === 'undo') return existsSync(unitFile) ? 'no' : 'yes'
    return 'no' // the answer is needed; a repeat is harmless
  },
}

export const removeServer: Driver<'backup-server.remove'> = {
  run: (c) => exclusive('backup-server', () => stop(c)),
  async undo(c) {
    await ensureServer.run({ ...c, task: 'run' })
  },
  async inspect({ task }) {
    return existsSync(unitFile) === (task === 'undo') ? 'yes' : 'no'
  },
}

async function stop({ say, fence }: { say: (text: string) => void; fence: () => void }): Promise<void> {
  if (!existsSync(unitFile)) return say('rest-server does not run here')
  fence()
  await service(unit).disable()
  await service(unit).stop()
  await remove(unitFile)
  await reloadUnits()
  say('rest-server has stopped; the repositories stay on the disk')
}

/** Creates the certificate that machines pin. Replaces it only when the address of the server has changed. */
async function ensureCertificate(address: string, gid: number): Promise<void> {
  const there = await read(certificateFile)
  if (there && isPair(there, await read(keyFile)) && new X509Certificate(there).checkIP(address)) return
  const key = `${keyFile}.making`
  await must([
    ...(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const),
    ...['-days', `${YEARS * 365}`, '-subj', '/CN=Innkeeper backup server', '-addext', `subjectAltName=IP:${address}`],
    ...['-keyout', key, '-out', `${certificateFile}.making`],
  ])
  if (!isPair(await read(`${certificateFile}.making`), await read(key)))
    throw new Error('the certificate was not written whole: is the disk full?')
  await must(['chown', `root:${gid}`, key, `${certificateFile}.making`])
  await must(['chmod', '0640', key, `${certificateFile}.making`])
  await rename(key, keyFile)
  await rename(`${certificateFile}.making`, certificateFile)
  await rm(unitFile, { force: true }) // without the unit file, the service is set up again and restarted
}

/** Whether both files are whole and belong together: a killed exchange may have replaced the key only. */
function isPair(certificate: string | undefined, key: string | undefined): boolean {
  try {
    return Boolean(certificate && key && new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
  } catch {
    return false // cut short
  }
}

/** Checks that rest-server answers, with 401 for a request without credentials. */
async function answering({ address, port }: { address: string; port: number }): Promise<void> {
  const host = address.includes(':') ? `[${address}]` : address
  const url = `https://${host}:${port}/`
  const within = `${patience.silenceMs / 1000}`
  await until({
    what: 'rest-server answers',
    unit,
    async look() {
      const ran = await run([
        ...(['curl', '-sS', '--max-time', within, '--cacert', certificateFile, '-o', '/dev/null'] as const),
        ...['-w', '%{http_code}', url],
      ])
      if (ran.stdout === '401') return
      throw new Error(`rest-server does not answer: ${ran.stderr.trim() || `it answers ${ran.stdout}`}`)
    },
  })
}

/** A password has 139 random bits: one SHA-1 is enough. */
export const ensureAccount: Driver<'backup-account.ensure'> = {
  async run(c) {
    const { account, key } = c.input
    c.fence()
    await setAccountLine(account, `${account}:{SHA}${createHash('sha1').update(key).digest('base64')}`)
    c.say(`${account} may append`)
  },
  async undo({ say }) {
    say('the account stays: a repository may need it')
  },
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** The line of an account, by which it may append; undefined if it has none. */
export const accountLine = async (account: string): Promise<string | undefined> =>
  ((await read(passwords)) ?? '').split('\n').find((one) => one.startsWith(`${account}:`))

/** Gives an account this line, or removes it. */
export const setAccountLine = (account: string, line?: string): Promise<void> =>
  exclusive('backup-server', async () => {
    const { gid } = await ownerAccount()
    const others = ((await read(passwords)) ?? '').split('\n').filter((one) => one && !one.startsWith(`${account}:`))
    const all = [...others, ...(line ? [line] : [])].sort()
    const text = all.length ? `${all.join('\n')}\n` : ''
    // a restart would interrupt running backups
    if (await replace(passwords, text, { mode: 0o640, owner: { uid: 0, gid } })) await service(unit).reload()
  })
