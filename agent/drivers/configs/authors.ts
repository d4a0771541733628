import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ConfigAuthor } from '@innkeeper/contract/agent/configs'
import { absent, type Ledger, readLedger } from '../../kit/host.ts'
import { watchedSince } from './secrets.ts'

/** Inaccuracy of file times, in ms: Linux rounds them to its clock tick. */
const TICK_MS = 50
/** Maintainer scripts run between two lines of dpkg's log. */
const PAUSE_MS = 20_000

/** Files that the programs of the ledger change: accounts, units, crontabs, links of Apache, settings of Postfix. */
const byPrograms =
  /^\/etc\/(?:passwd|group|g?shadow|sub[ug]id|aliases|systemd\/system\/|apache2\/\w+-enabled\/|postfix\/)|^\/var\/spool\/cron\//

/** What this machine knows about the origin of its files. */
export interface Origins {
  ledger: Ledger
  /** Package and md5 of each configuration file that a package ships. */
  conffiles: Map<string, { package: string; md5: string }>
  /** md5 of the files that packages write by `ucf`. */
  ucf: Map<string, string>
  /** When dpkg worked, in ms. */
  runs: (readonly [from: number, to: number])[]
  since: number
}

export const origins = async (): Promise<Origins> => ({
  ledger: readLedger(),
  conffiles: conffilesIn(await textOf('/var/lib/dpkg/status')),
  ucf: new Map(
    [...(await textOf('/var/lib/ucf/hashfile')).matchAll(/^([0-9a-f]{32})\s+(\S+)$/gm)].map(
      ([, md5 = '', path = '']) => [path, md5],
    ),
  ),
  runs: runsIn(await textOf('/var/log/dpkg.log')),
  since: await watchedSince(),
})

const textOf = async (file: string) => (await readFile(file, 'utf8').catch(absent)) ?? ''

function conffilesIn(status: string): Origins['conffiles'] {
  const found: Origins['conffiles'] = new Map()
  for (const part of status.split('\n\n')) {
    const [, name = ''] = /^Package: (.+)$/m.exec(part) ?? []
    const [, list = ''] = /^Conffiles:\n((?: .+\n?)+)/m.exec(part) ?? []
    for (const [, path = '', md5 = ''] of list.matchAll(/^ (\/.+?) ([0-9a-f]{32})(?: obsolete)?$/gm))
      found.set(path, { package: name, md5 })
  }
  return found
}

/** Joins the lines of dpkg's log, in local time, to the periods in which it worked. */
function runsIn(log: string): Origins['runs'] {
  const runs: [number, number][] = []
  for (const [, day = '', time = ''] of log.matchAll(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) /gm)) {
    const at = new Date(`${day}T${time}`).getTime()
    const last = runs.at(-1)
    if (last && at - last[1] <= PAUSE_MS) last[1] = at
    else runs.push([at, at])
  }
  return runs
}

interface Seen {
  path: string
  /** sha256 of the content, or of the target of a symlink. */
  sha: string
  content: Buffer | undefined
  changedMs: number
}

/** Who wrote a file as it is now. */
export function authorOf(
  { path, sha, content, changedMs }: Seen,
  known: Origins,
): { by: ConfigAuthor; package: string | null } {
  const { ledger, conffiles, ucf, runs, since } = known
  const shipped = conffiles.get(path)
  const ships = shipped?.package ?? null
  if (ledger.files.get(path)?.by === sha) return { by: 'innkeeper', package: ships }
  const md5 = content && createHash('md5').update(content).digest('hex')
  if (md5 && (md5 === shipped?.md5 || md5 === ucf.get(path))) return { by: 'package', package: ships }
  if (byPrograms.test(path) && isWithin(ledger.windows, changedMs, TICK_MS)) return { by: 'innkeeper', package: ships }
  // packages do not change the configuration files that they ship, so a person did
  if (!shipped && isWithin(runs, changedMs, 1000)) return { by: 'package', package: null }
  return { by: changedMs < since ? 'unknown' : 'person', package: ships }
}

const isWithin = (periods: readonly (readonly [number, number])[], at: number, margin: number) =>
  periods.some(([from, to]) => at >= from - margin && at <= to + margin)

/** Who removed a file that was there. */
export function removerOf(path: string, { ledger, conffiles }: Origins): ConfigAuthor {
  if (ledger.files.get(path)?.by === '-') return 'innkeeper'
  return conffiles.has(path) ? 'person' : 'unknown'
}
