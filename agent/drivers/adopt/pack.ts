import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { killGroup, minimal } from '../../kit/host.ts'
import { gatherEnd } from '../../kit/programs/run.ts'
import { LAST, MANIFEST } from '../archives/sealedLayout.ts'
import { members } from '../archives/tar.ts'
import { END, headerOf, type Out, paddingOf } from '../archives/tarOut.ts'
import { dumpArguments } from '../mariadb/dump.ts'
import type { MachineAccount, Source } from './account.ts'
import { findAccounts } from './machine.ts'

export type Chosen = Pick<OperationInput<'machine.open'>, 'account' | 'websites' | 'databases' | 'mailDomains'>
/** A dump has no known length: it is several members of this many bytes. */
const PIECE = 8 * 1_048_576

/** The chosen parts of an account. Names that the account does not have are refused. */
export async function chosenOf({ account, websites, databases, mailDomains }: Chosen): Promise<MachineAccount> {
  const { accounts } = await findAccounts({ account })
  const found = accounts.find(({ layout }) => layout.inventory.account.name === account)
  if (!found) throw new Error(`this machine has no account ${account}: look at it again`)
  const { inventory, secrets, rules, roots } = found.layout
  const isIn = (chosen: readonly string[] | undefined, name: string) => chosen?.includes(name) ?? true
  for (const [chosen, there, what] of [
    [websites, inventory.websites.map(({ domain }) => domain), 'website'],
    [databases, inventory.databases.map(({ name }) => name), 'database'],
    [mailDomains, inventory.mail.map(({ domain }) => domain), 'mail domain'],
  ] as const) {
    const strange = chosen?.find((name) => !there.includes(name))
    if (strange !== undefined)
      throw new Error(`the account ${account} has no ${what} ${strange}: look at the machine again`)
  }
  const kept = rules.filter(([, rule]) =>
    rule.kind === 'site'
      ? isIn(websites, rule.site)
      : rule.kind === 'mail'
        ? isIn(mailDomains, rule.domain)
        : rule.kind === 'dump' && isIn(databases, rule.database),
  )
  return {
    layout: {
      inventory: {
        ...{ ...inventory, format: 'machine' },
        websites: inventory.websites.filter(({ domain }) => isIn(websites, domain)),
        databases: inventory.databases.filter(({ name }) => isIn(databases, name)),
        mail: inventory.mail.filter(({ domain }) => isIn(mailDomains, domain)),
        // zones and jobs come with the whole account alone
        ...(websites && { zones: inventory.zones.filter(({ domain }) => websites.includes(domain)) }),
      },
      ...{ secrets, roots, rules: kept },
    },
    sources: new Map([...found.sources].filter(([path]) => kept.some(([at]) => at === path))),
  }
}

/** Writes an account as an archive that `archive.look` reads. Nothing of it is stored on this machine. */
export async function pack({ layout, sources }: MachineAccount, to: Writable): Promise<void> {
  const out = new Packing(to)
  await out.file(MANIFEST, Buffer.from(JSON.stringify(layout)))
  for (const [path, source] of sources) await packOne(out, path, source, [...sources.values()])
  await out.file(LAST, Buffer.alloc(0))
  await out.send(END)
}

async function packOne(out: Packing, at: string, source: Source, all: readonly Source[]): Promise<void> {
  if ('folder' in source) {
    // a mailbox without mail has no folder yet, and somebody may have deleted one that the panel makes
    if (!existsSync(source.folder)) return
    // a folder within this one is a part of its own
    const within = all.flatMap((one) =>
      'folder' in one && one.folder.startsWith(`${source.folder}/`)
        ? [`--exclude=./${glob(one.folder.slice(source.folder.length + 1))}`]
        : [],
    )
    const argv = [
      '--create',
      '--file=-',
      '--one-file-system',
      '--ignore-failed-read',
      '--anchored',
      '--wildcards',
      ...within,
      `--directory=${source.folder}`,
      '.',
    ]
    // 1: a file changed while it was read; visitors go on
    await piped('tar', argv, [0, 1], async (stdout) => {
      for await (const member of members(stdout)) {
        const { path, type, target, size, mode, mtime } = member
        if (path === undefined || type === 'device' || type === 'other') continue
        const name = path === '' ? at : `${at}/${path}`
        const link = type === 'hardlink' ? `${at}/${target.replace(/^\.\//, '')}` : target
        await out.member(
          { path: name, type, size, mode, mtime, ...((type === 'symlink' || type === 'hardlink') && { target: link }) },
          member.body(),
        )
      }
    })
  } else
    await piped(...dumpOf(source.database), [0], async (stdout) => {
      let [parts, have, n]: [Buffer[], number, number] = [[], 0, 0]
      const flush = async () => {
        await out.file(`${at}/${String(++n).padStart(6, '0')}`, Buffer.concat(parts))
        ;[parts, have] = [[], 0]
      }
      for await (const part of stdout) {
        parts.push(part as Buffer) // a stream without encoding
        have += (part as Buffer).length
        if (have >= PIECE) await flush()
      }
      await flush()
    })
}

const glob = (text: string) => text.replace(/[*?[\]\\]/g, '\\$&')
function dumpOf(database: string): [string, string[]] {
  const [program, ...args] = dumpArguments(database, [])
  return [program, args]
}

async function piped(
  program: string,
  args: string[],
  accept: number[],
  read: (stdout: Readable) => Promise<void>,
): Promise<void> {
  const child = spawn(program, args, { cwd: '/', env: minimal, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const said = gatherEnd(child.stderr)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
  })
  ended.catch(() => {}) // awaited below
  try {
    await read(child.stdout)
  } catch (error) {
    killGroup(child.pid)
    throw error
  }
  const code = await ended
  if (!accept.includes(code)) throw new Error(`${program} ended with ${code}: ${said().trim().slice(-500)}`)
}

class Packing {
  readonly #to: Writable

  constructor(to: Writable) {
    this.#to = to
  }

  file(path: string, body: Buffer): Promise<void> {
    return this.member({ path, type: 'file', size: body.length, mode: 0o600, mtime: 0 }, [body])
  }

  async member(out: Out, body: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    await this.send(headerOf(out))
    for await (const part of body) await this.send(part)
    if (out.size) await this.send(paddingOf(out.size))
  }

  async send(part: Buffer): Promise<void> {
    if (this.#to.destroyed) throw new Error('the other server has ended the connection')
    if (!this.#to.write(part)) await Promise.race([once(this.#to, 'drain'), once(this.#to, 'close')])
  }
}
