import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import type { Context, Driver } from '../../kit/driver.ts'
import { notes, probe, read } from '../../kit/host.ts'
import { siteFolder } from '../nginx/nginx.ts'
import { apply, isServed } from '../nginx/nginxConfig.ts'
import { edgeTlsFile, edgeTlsText, fingerprintIn } from '../tls/tlsFiles.ts'
import { shows } from '../tls/tlsSite.ts'
import type { Dump } from '../webServer/webConfig.ts'
import { type Edge, edgeFile, edgeIn, edgeText, mark, markPath } from './edgeFile.ts'

const kind = 'edge-site'
type Voice = Pick<Context<'edge-site.ensure'>, 'say' | 'fence'>

/** Writes the file of a website on an edge. Keeps the former file for undo, whoever wrote it. */
export const ensureEdgeSite: Driver<'edge-site.ensure'> = {
  async run(c) {
    const { vhostId } = c.input
    await keepBefore(c.actionId, vhostId)
    const { generation, changed } = await serve(c, c.input)
    c.say(`${c.input.names[0]} ${changed ? 'is fetched' : 'is fetched already'} from ${c.input.origin}`)
    return { generation }
  },
  undo: (c) => putBack(c, c.input.vhostId),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await before(actionId, input.vhostId)) ? 'no' : 'yes'
    return (await isServed({ [edgeFile(input.vhostId)]: edgeText(input) })) ? 'yes' : 'no'
  },
}

/** Removes the file of a website from an edge. Undo restores it. */
export const removeEdgeSite: Driver<'edge-site.remove'> = {
  async run(c) {
    const { vhostId } = c.input
    await keepBefore(c.actionId, vhostId)
    await apply(c, { [edgeFile(vhostId)]: undefined })
    c.say('this edge no longer serves it')
  },
  undo: (c) => putBack(c, c.input.vhostId),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await before(actionId, input.vhostId)) ? 'no' : 'yes'
    return (await isServed({ [edgeFile(input.vhostId)]: undefined })) ? 'yes' : 'no'
  },
}

/** Compares the files of an edge with the expected ones, and lists files that nobody expects. Changes nothing. */
export const compareEdgeSites: Driver<'edge-sites.compare'> = {
  async run({ input: { sites } }) {
    const differing: { vhostId: number; file: string; is: string; wanted: string; certificate: boolean }[] = []
    for (const edge of sites)
      for (const { file, wanted, certificate } of wantedOf(edge)) {
        const is = (await read(file)) ?? ''
        if (is !== wanted) differing.push({ vhostId: edge.vhostId, file, is: is.slice(0, 65_536), wanted, certificate })
      }
    const known = new Set(sites.map(({ vhostId }) => vhostId))
    const there = (await readdir(siteFolder)).flatMap((file) => edgeIn(file) ?? [])
    return { differing, strangers: there.filter((vhostId) => !known.has(vhostId)) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** An older control plane sends no `tls`: then skip the certificate. */
function wantedOf({ tls, ...edge }: OperationInput<'edge-sites.compare'>['sites'][number]) {
  const site = { file: edgeFile(edge.vhostId), wanted: edgeText(edge), certificate: false }
  if (tls === undefined) return [site]
  return [site, { file: edgeTlsFile(edge.vhostId), wanted: tls ? edgeTlsText(tls) : '', certificate: true }]
}

async function serve(c: Voice, edge: Edge) {
  const file = edgeFile(edge.vhostId)
  const shown = fingerprintIn(await read(edgeTlsFile(edge.vhostId)))
  return apply(
    c,
    { [file]: edgeText(edge) },
    {
      judge: (dump) => refuseDuplicates(dump, edge, file),
      async check() {
        await answersAs(edge)
        if (shown) await shows(edge.names, shown, c.say)
      },
    },
  )
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

const nothing = ''

/** Keeps the former file once per action: a retry would find the file of the first attempt. */
async function keepBefore(actionId: number, vhostId: number): Promise<void> {
  if (await before(actionId, vhostId)) return
  await notes.keep(kind, `${vhostId}`, actionId, { before: (await read(edgeFile(vhostId))) ?? nothing })
}

async function before(actionId: number, vhostId: number) {
  const note = await notes.find(kind, `${vhostId}`)
  return note?.by === actionId ? note : undefined
}

async function putBack(c: Voice & { actionId: number }, vhostId: number): Promise<void> {
  const note = await before(c.actionId, vhostId)
  if (!note) return c.say('a later action has changed it: it stays')
  const text = note.about.before || undefined
  await apply(c, { [edgeFile(vhostId)]: text })
  await notes.drop(kind, `${vhostId}`)
  c.say(text ? 'this edge has its former file' : 'this edge no longer serves it')
}
