import { readdir } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { chainTrust, read, sha } from '../../kit/host.ts'
import { siteFolder } from '../nginx/nginx.ts'
import { apply, isServed } from '../nginx/nginxConfig.ts'
import { edgeTlsFile, edgeTlsText } from '../tls/tlsFiles.ts'
import { authorities, edgeFiles, edgeIn, noEdgeFiles } from './edgeFile.ts'
import { passwordFile, passwordFolder } from './edgeRules.ts'
import { before, concerning, distrusted, keepBefore, putBack, serve } from './serveEdge.ts'

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

/** Says why visitors get, or would get, 502 of an edge that checks the certificate of the website. */
export const edgeTrust: Driver<'edge-site.trust'> = {
  run: async ({ input: { vhostId, chain } }) => ({
    wrong: await (chain ? chainTrust(chain, authorities) : distrusted(vhostId)),
  }),
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
