import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import type { Driver } from '../../kit/driver.ts'
import { absent, run } from '../../kit/host.ts'
import type { Beside, MachineAccount } from './account.ts'
import { databasesHere } from './databases.ts'
import { handMadeAccounts } from './handMade.ts'
import { hestiaAccounts, hestiaHere } from './hestiaMachine.ts'
import { ispconfigAccounts, ispconfigHere } from './ispconfigMachine.ts'

const MOST_ANSWER = 1_500_000
const MOST_OTHERS = 300

/** What a caller needs, so that one website of a machine with hundreds is not found by reading all of them. */
export interface Asked {
  /** The one account that is wanted. */
  account?: string
  /** What `nginx -T` prints, if it was run already. */
  nginx?: string
  /** False: the caller asks for no database. */
  databases?: boolean
}

/** Everything on this machine, as panel records or configurations say. Reads only. */
export async function findAccounts({ account, nginx, databases = true }: Asked = {}): Promise<{
  panel: FoundMachine['panel']
  accounts: MachineAccount[]
  others: Beside[]
}> {
  const bases = databases ? await databasesHere() : []
  const hestia = hestiaHere()
  if (hestia) return { panel: hestia, accounts: await hestiaAccounts(hestia, bases, account), others: [] }
  if (ispconfigHere()) return { panel: 'ispconfig', accounts: await ispconfigAccounts(bases), others: [] }
  return { panel: 'none', ...(await handMadeAccounts(bases, { account, nginx })) }
}

export const lookAtMachine: Driver<'machine.look'> = {
  async run({ say }) {
    const { panel, accounts, others } = await findAccounts()
    const found: FoundMachine = {
      panel,
      accounts: accounts
        .map(({ layout }) => layout.inventory)
        .toSorted((a, b) => (a.account.name < b.account.name ? -1 : 1)),
      others: [...others, ...(panel === 'none' ? await mailHere() : []), ...(await besideHere())].slice(0, MOST_OTHERS),
      addresses: Object.values(networkInterfaces())
        .flatMap((all = []) =>
          all.flatMap(({ address, internal }) => (internal || address.startsWith('fe80') ? [] : address)),
        )
        .toSorted(),
    }
    if (JSON.stringify(found).length > MOST_ANSWER)
      throw new Error('what runs on this machine is too long for one answer: more than 1.5 MB of names and records')
    say(
      `${found.accounts.reduce((all, one) => all + one.websites.length, 0)} websites in ${found.accounts.length} accounts`,
    )
    return found
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

/** Programs that listen, timers and cron jobs of the system: never touched. */
async function besideHere(): Promise<Beside[]> {
  const found: Beside[] = []
  const listening = await run(['ss', '--tcp', '--listening', '--numeric', '--processes', '--no-header']).catch(
    () => undefined,
  )
  const programs = new Map<string, Set<string>>()
  for (const line of listening?.stdout.split('\n') ?? []) {
    const port = /:(\d{1,5})\s/.exec(line)?.[1]
    const program = /users:\(\("([^"]{1,60})"/.exec(line)?.[1]
    if (port && program && !usual.has(program)) programs.set(program, (programs.get(program) ?? new Set()).add(port))
  }
  for (const [name, ports] of [...programs].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    found.push({ kind: 'program', name, why: `listens on ${[...ports].toSorted().join(', ')}` })
  for (const name of ((await readdir('/etc/systemd/system').catch(absent)) ?? []).toSorted())
    if (name.endsWith('.timer')) found.push({ kind: 'timer', name, why: 'a timer of systemd' })
  for (const name of ((await readdir('/etc/cron.d').catch(absent)) ?? []).toSorted())
    if (!name.startsWith('.') && !['e2scrub_all', 'php', 'sysstat', 'certbot'].includes(name))
      found.push({ kind: 'cron', name: `/etc/cron.d/${name}`, why: 'cron jobs of the system' })
  return found
}
const usual = new Set([
  'nginx',
  'apache2',
  'php-fpm',
  'mariadbd',
  'mysqld',
  'sshd',
  'innkeeper-agent',
  'node',
  'systemd',
  'systemd-resolve',
])

/** Mail domains of a hand-made Postfix: named, because their mailboxes may lie anywhere. */
async function mailHere(): Promise<Beside[]> {
  if (!existsSync('/usr/sbin/postconf')) return []
  const { stdout } = await run(['postconf', '-h', 'virtual_mailbox_domains', 'virtual_alias_domains'])
  const names = new Set<string>()
  for (const word of stdout.split(/[\s,]+/)) {
    const file =
      /^(?:hash|lmdb|texthash):(\/[\w./-]{1,200})$/.exec(word)?.[1] ??
      (/^\/[\w./-]{1,200}$/.test(word) ? word : undefined)
    if (file) {
      const text = await readFile(file, 'utf8').catch(() => '')
      for (const line of text.split('\n').slice(0, 10_000)) {
        const name = line.trim().split(/\s+/)[0]
        if (name && !name.startsWith('#')) names.add(name)
      }
    } else if (word.includes('.') && !word.includes('$') && !word.includes(':')) names.add(word)
  }
  return [...names].toSorted().map((name) => ({
    ...{ kind: 'mail' as const, name },
    why: 'mail of a hand-made Postfix: move its mailboxes by IMAP',
  }))
}
