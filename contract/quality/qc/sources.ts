import * as z from 'zod'
import { filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from '../../kit/endpoint.ts'
import { Identity, IMPORT_BYTES, ImportRun, MiB, Source } from './sourceShapes.ts'
import { sourceType } from './values.ts'

/** The URL of a help desk. Names of this machine are allowed, because a help desk may run on the same machine. */
const address = z
  .string()
  .trim()
  .max(300)
  .regex(/^(https?|xmpps?):\/\/[\w.-]+(:\d{1,5})?(\/[\w./~-]*)?$/, 'An address such as https://help.example.org/rt')
const word = z
  .string()
  .trim()
  .max(200)
  .regex(/^[\w.@+ -]*$/, 'Letters, digits, spaces and . @ + - _ only')
/** Settings of an adapter. `user` and `queue` have the meaning of the help desk. */
export const sourceConfig = z
  .object({
    url: address.optional(),
    user: word.optional(),
    /** Request Tracker: only this queue. XMPP: only messages to or from this address. */
    queue: word.optional(),
  })
  .strict()
const pulled = {
  config: sourceConfig.optional(),
  /** Password or token. Stored encrypted; no call answers it. */
  secret: z.string().max(500).optional(),
  everyMinutes: z.int().min(1).max(1440).optional(),
}

const v2 = '/qa-controller-v2'
const manager = 'qa:manager:access'
const content = { bytes: IMPORT_BYTES }
/** Maximum size of a signed body, which stays in memory until its signature is checked. */
const signed = { bytes: 32 * MiB }

/** Sources of conversations. The specification has no path for these calls. */
export const qcSources = {
  sources: get(`${v2}/sources`, manager, {
    summary: 'Sources of conversations, each with its last imports',
    query: listQuery(['name']),
    returns: pageOf(Source),
  }),
  createSource: post(`${v2}/sources`, manager, {
    summary: 'Create a source. Only this answer contains the key that signs its imports',
    body: { name: line(80), type: sourceType.optional(), ...pulled },
    returns: z.object({ id: z.int(), name: z.string(), key: z.string() }),
  }),
  updateSource: patch(`${v2}/sources/:id`, manager, {
    summary: 'Rename a source, turn it off or on',
    body: { name: line(80).optional(), isActive: z.boolean().optional(), ...pulled, version },
    returns: Source,
  }),
  pullSource: post(`${v2}/sources/:id/pull`, manager, {
    summary: 'Fetch new items from a help desk now',
    effect: 'stream',
    status: 200,
    returns: ImportRun,
  }),
  runs: get(`${v2}/sources/:id/runs`, manager, {
    summary: 'Imports of a source, the newest first',
    query: listQuery(['startedAt']),
    returns: pageOf(ImportRun),
  }),
  renewKey: post(`${v2}/sources/:id/key`, manager, {
    summary: 'Replace the key of a source. The old key is refused at once',
    status: 200,
    returns: z.object({ key: z.string() }),
  }),
  importFile: post(`${v2}/sources/:id/file`, manager, {
    summary: 'Import a file of JSON lines',
    content,
    effect: 'stream',
    status: 200,
    returns: ImportRun,
  }),
  importSigned: post(`${v2}/import/:id`, 'public', {
    summary: 'Import JSON lines, signed with the key of the source',
    query: {
      /** Seconds since 1970, at most five minutes from the time of the server. */
      time: whole(0, 10_000_000_000),
      /** Hex HMAC-SHA256 over `<time>.<hex SHA-256 of the body>`. */
      signature: z.string().max(200),
    },
    content: signed,
    effect: 'stream',
    status: 200,
    returns: ImportRun,
  }),
  identities: get(`${v2}/identities`, manager, {
    summary: 'Agents by their names in sources, with the staff that they are mapped to',
    query: {
      ...listQuery(['name']),
      search: filter(z.string().trim().max(200)),
      unknown: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(Identity),
  }),
  mapIdentity: patch(`${v2}/identities/:id`, manager, {
    summary: 'Map an agent of a source to a person, also in conversations that were imported before',
    body: { userId: id.nullable(), version },
    returns: Identity,
  }),
}
