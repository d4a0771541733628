import { existsSync } from 'node:fs'
import type { Context } from '../../kit/driver.ts'
import { ensureDirectory, notes, probe, read, tlsTrust, until } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { apply } from '../nginx/nginxConfig.ts'
import { edgeTlsFile, fingerprintIn } from '../tls/tlsFiles.ts'
import { shows } from '../tls/tlsSite.ts'
import { beside, type Changes, type Dump } from '../webServer/webConfig.ts'
import { authorities, certificateName, edgeFile, edgeFiles, mark, markPath, noEdgeFiles } from './edgeFile.ts'
import { needScript } from './edgeModules.ts'
import { type Edge, errorFolder, passwordFolder } from './edgeRules.ts'

const kind = 'edge-site'
export type Voice = Pick<Context<'edge-site.ensure'>, 'say' | 'fence'>

export async function serve(c: Voice, edge: Edge) {
  if (edge.cache) needScript()
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
export const concerning = (files: Changes): Changes =>
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
/** Why nginx refuses the certificate of the origin that the site file names; null: nginx accepts it, or fetches over http. */
export async function distrusted(vhostId: number): Promise<string | null> {
  const text = (await read(edgeFile(vhostId))) ?? ''
  const name = /^ *proxy_ssl_name (.+);$/m.exec(text)?.[1]
  const origin = /^ *proxy_pass https:\/\/\[?([^\];\s]+)\]?;$/m.exec(text)?.[1]
  if (!name || !origin) return null
  const wrong = await tlsTrust(origin, 443, name, (await read(authorities)) ?? '')
  return wrong ? `${origin}: ${wrong}` : null
}
/** Retries, because a worker of the former configuration may accept one more connection. */
const answersAs = (edge: Edge): Promise<void> =>
  until({
    what: `nginx answers for ${edge.names[0]}`,
    unit: 'nginx',
    async look() {
      for (const name of edge.names) {
        const { status, text } = await probe('127.0.0.1', 80, name.replace(/^\*/, 'any-name'), markPath)
        if (text === mark(edge)) continue
        throw new Error(`this edge should answer for ${edge.names[0]}: ${name} answers ${status ?? text} for its mark`)
      }
    },
  })
/** Keeps the former files once per action: a retry would find the files of the first attempt. */
export async function keepBefore(actionId: number, vhostId: number): Promise<void> {
  if (await before(actionId, vhostId)) return
  const files: Record<string, string> = {}
  for (const file of Object.keys(noEdgeFiles(vhostId))) {
    const text = await read(file)
    if (text !== undefined) files[file] = text
  }
  await notes.keep(kind, `${vhostId}`, actionId, { files: JSON.stringify(files) })
}
export async function before(actionId: number, vhostId: number) {
  const note = await notes.find(kind, `${vhostId}`)
  return note?.by === actionId ? note : undefined
}
export async function putBack(c: Voice & { actionId: number }, vhostId: number): Promise<void> {
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
