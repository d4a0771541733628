import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import type { Context, Driver } from '../../kit/driver.ts'
import { ensureDirectory, notes, probe, read, sha, tlsTrust } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { siteFolder } from '../nginx/nginx.ts'
import { apply, isServed } from '../nginx/nginxConfig.ts'
import { edgeTlsFile, edgeTlsText, fingerprintIn } from '../tls/tlsFiles.ts'
import { shows } from '../tls/tlsSite.ts'
import { beside, type Changes, type Dump } from '../webServer/webConfig.ts'
import {
  authorities,
  certificateName,
  type Edge,
  edgeFile,
  edgeFiles,
  edgeIn,
  mark,
  markPath,
  noEdgeFiles,
} from './edgeFile.ts'
import { errorFolder, passwordFile, passwordFolder } from './edgeRules.ts'

const kind = 'edge-site'
type Voice = Pick<Context<'edge-site.ensure'>, 'say' | 'fence'>

/** Writes the files of a website on an edge. Keeps the former files for undo, whoever wrote them. */
export const ensureEdgeSite: Driver<'edge-site.ensure'> = {
  async run(c) {
    const { vhostId } = c.input
    await keepBefore(c.actionId, vhostId)
    const { generation, changed } = await serve(c, c.input)
    c.say(`${c.input.names[0]} ${changed ? 'is now fetched' : 'is already fetched'} from ${c.input.origin}`)
    return { generation }
  },
  undo: (c) => putBack(c, c.input.vhostId),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await before(actionId, input.vhostId)) ? 'no' : 'yes'
    return (await isServed(edgeFiles(input))) ? 'yes' : 'no'
  },
}

/** Removes the files of a website from an edge. Undo restores them. */
export const removeEdgeSite: Driver<'edge-site.remove'> = {
  async run(c) {
    const { vhostId } = c.input
    await keepBefore(c.actionId, vhostId)
    await apply(c, concerning(noEdgeFiles(vhostId)))
    c.say('this edge no longer serves it')
  },
  undo: (c) => putBack(c, c.input.vhostId),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await before(actionId, input.vhostId)) ? 'no' : 'yes'
    return (await isServed(noEdgeFiles(input.vhostId))) ? 'yes' : 'no'
  },
}

/** Compares the files of an edge with the expected ones, and lists files that nobody expects. Changes nothing. */
export const compareEdgeSites: Driver<'edge-sites.compare'> = {
  async run({ input: { sites } }) {
    const differing: { vhostId: number; file: string; is: string; wanted: string; certificate: boolean }[] = []
    for (const edge of sites)
      for (const { file, wanted, certificate } of wantedOf(edge)) {
        const is = comparable(file, await read(file))
        if (is !== wanted) differing.push({ vhostId: edge.vhostId, file, is: is.slice(0, 65_536), wanted, certificate })
      }
    const known = new Set(sites.map(({ vhostId }) => vhostId))
    const there = (await readdir(siteFolder)).flatMap((file) => edgeIn(file) ?? [])
    return { differing, strangers: there.filter((vhostId) => !known.has(vhostId)) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** An older control plane sends no `tls`: then skip the certificate. Password files are compared by their sum. */
function wantedOf({
  tls,
  passwords = '',
  passwordsSum = passwords && sha(passwords),
  ...edge
}: OperationInput<'edge-sites.compare'>['sites'][number]) {
  const files = { ...edgeFiles(edge), [passwordFile(edge.vhostId)]: passwordsSum && sumOf(passwordsSum) }
  const site = Object.entries(files).map(([file, wanted = '']) => ({ file, wanted, certificate: false }))
  if (tls === undefined) return site
  return [...site, { file: edgeTlsFile(edge.vhostId), wanted: tls ? edgeTlsText(tls) : '', certificate: true }]
}

const comparable = (file: string, text: string | undefined) =>
  text && file.startsWith(`${passwordFolder}/`) ? sumOf(sha(text)) : (text ?? '')
const sumOf = (sum: string) => `passwords with the sum ${sum}\n`

async function serve(c: Voice, edge: Edge) {
  const file = edgeFile(edge.vhostId)
  const shown = fingerprintIn(await read(edgeTlsFile(edge.vhostId)))
  if (edge.rules?.fetch === 'https') await trusts(c, edge)
  const files = concerning(edgeFiles(edge))
  await ensureFolders(files)
  return apply(c, files, {
    judge: (dump) => refuseDuplicates(dump, edge, file),
    async check() {
      await answersAs(edge)
      if (shown) await shows(edge.names, shown, c.say)
    },
  })
}

/** Leaves out files that neither exist nor should. Keeps a file of which an interrupted change left only a copy. */
const concerning = (files: Changes): Changes =>
  Object.fromEntries(
    Object.entries(files).filter(([file, text]) => text !== undefined || existsSync(file) || existsSync(beside(file))),
  )

/** Workers of nginx read both folders; other accounts may not read the passwords. */
async function ensureFolders(files: Changes): Promise<void> {
  const owner = await accountOf('www-data')
  if (Object.entries(files).some(([file, text]) => text !== undefined && file.startsWith(`${passwordFolder}/`)))
    await ensureDirectory(passwordFolder, { mode: 0o700, ...(owner && { owner }) })
  if (Object.entries(files).some(([file, text]) => text !== undefined && file.startsWith(`${errorFolder}/`)))
    await ensureDirectory(errorFolder)
}

/** Visitors would get 502 for a certificate that nginx cannot check. */
async function trusts({ say }: Voice, edge: Edge): Promise<void> {
  const name = certificateName(edge)
  const wrong = await tlsTrust(edge.origin, 443, name, (await read(authorities)) ?? '')
  if (wrong) throw new Error(`${edge.origin} shows no certificate for ${name} that this edge trusts: ${wrong}`)
  say(`${edge.origin} shows a trusted certificate for ${name}`)
}

/** nginx only warns when two servers have the same name, and serves the first. */
function refuseDuplicates({ names }: Dump, edge: Edge, file: string): void {
  for (const name of edge.names) {
    const other = names.get(name)?.find((claims) => claims !== file)
    if (other) throw new Error(`${name} is claimed by ${other} already. Nothing was changed`)
  }
}

/** Retries, because a worker of the former configuration may accept one more connection. */
async function answersAs(edge: Edge): Promise<void> {
  let last = ''
  for (const end = performance.now() + 5000; performance.now() < end; await sleep(100)) {
    last = ''
    for (const name of edge.names) {
      const { status, text } = await probe('127.0.0.1', 80, name.replace(/^\*/, 'any-name'), markPath)
      if (text !== mark(edge)) last = `${name} answers ${status ?? text} for its mark`
    }
    if (!last) return
  }
  throw new Error(`this edge should answer for ${edge.names[0]}: ${last}`)
}

/** Keeps the former files once per action: a retry would find the files of the first attempt. */
async function keepBefore(actionId: number, vhostId: number): Promise<void> {
  if (await before(actionId, vhostId)) return
  const files: Record<string, string> = {}
  for (const file of Object.keys(noEdgeFiles(vhostId))) {
    const text = await read(file)
    if (text !== undefined) files[file] = text
  }
  await notes.keep(kind, `${vhostId}`, actionId, { files: JSON.stringify(files) })
}

async function before(actionId: number, vhostId: number) {
  const note = await notes.find(kind, `${vhostId}`)
  return note?.by === actionId ? note : undefined
}

async function putBack(c: Voice & { actionId: number }, vhostId: number): Promise<void> {
  const note = await before(c.actionId, vhostId)
  if (!note) return c.say('a later action has changed it: it stays')
  // agents before 0.6 kept one file
  const { files, before: file } = note.about
  const was: Changes = files ? JSON.parse(files) : { [edgeFile(vhostId)]: file || undefined }
  await ensureFolders(was)
  await apply(c, concerning({ ...noEdgeFiles(vhostId), ...was }))
  await notes.drop(kind, `${vhostId}`)
  c.say(was[edgeFile(vhostId)] ? 'this edge has its former files' : 'this edge no longer serves it')
}
