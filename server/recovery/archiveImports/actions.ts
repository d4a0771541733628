import { ArchiveSecrets } from '@innkeeper/contract/agent/archives'
import { operations } from '@innkeeper/contract/agent/operations'
import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { reader } from '../../kit/agents/sealed.ts'
import type { App } from '../../kit/app/app.ts'
import { action } from '../../kit/work/action.ts'
import { zones } from '../../net/dns/tables.ts'
import { dropZone, makeZone } from '../../net/dns/zones/zones.ts'
import { setHashes } from '../../net/mailboxes/hashes.ts'
import { makeNew } from './newPasswords/bring.ts'
import { verify } from './verify.ts'
import { rowOf } from './view.ts'

export const archiveFetch = action('archive.fetch', operations['archive.fetch'], {
  title: 'Bring archive',
  lane: 'long',
  what: ({ blob }) => `copies ${blob.size} bytes to the server`,
})
export const archiveDownload = action('archive.download', operations['archive.download'], {
  title: 'Fetch archive',
  lane: 'long',
  what: () => 'over HTTPS or SFTP, from the address that people typed',
})
export const archiveLook = action('archive.look', operations['archive.look'], {
  title: 'Look at archive',
  lane: 'long',
  what: ({ archive }) => `reads ${archive ?? 'the uploaded archive'} and writes nothing`,
})
export const archiveUnpack = action('archive.unpack', operations['archive.unpack'], {
  title: 'Unpack',
  lane: 'long',
  what: ({ sites, dumps }) => `files of ${sites.length} websites, ${dumps.length} dumps`,
})
export const archiveMail = action('archive.mail', operations['archive.mail'], {
  title: 'Mail',
  lane: 'long',
  what: ({ from, users }) => `the mail of ${users.length} mailboxes of ${from}`,
})
export const archiveAgain = action('archive.again', operations['archive.again'], {
  title: 'Bring changes',
  lane: 'long',
  what: ({ sites, mail }) =>
    `new and changed files of ${sites.length} websites, new messages of ${mail.length} mail domains`,
})
export const archiveCompare = action('archive.compare', operations['archive.compare'], {
  title: 'Count',
  lane: 'long',
  what: ({ sums, sites }) =>
    sums ? `checksums of the files of ${sites.length} websites` : 'counts files, rows and messages on the server',
})
export const archiveDrop = action('archive.drop', operations['archive.drop'], {
  title: 'Clean up',
  what: () => 'hashes, keys and the uploaded archive are deleted from the server',
})

const importId = z.int().min(1)
export const transferKeyOf = (id: number) => `archive-import:${id}:transfer`
export const loginOf = (id: number) => `archive-import:${id}:login`
export const addressOf = (id: number) => `archive-import:${id}:address`
/** The secret with the content that `bringBack` of a part reads. */
export const contentOf = (id: number, kind: 'certificate' | 'ftp' | 'dkim', of: number | string) =>
  `archive-import:${id}:${kind}:${of}`

/** Brings hashes and keys of the archive into the secrets of the new rows. No row of the queue has them in plain text. */
export const secretsBring = action(
  'archive-import.secrets',
  z.object({
    importId,
    serverId: z.int(),
    databases: z.array(z.object({ from: z.string(), secret: z.string() })),
    mailboxes: z.array(
      z.object({ mailboxId: z.int(), users: z.array(z.object({ from: z.string(), userId: z.int() })) }),
    ),
    certificates: z.array(z.object({ from: z.string(), chain: z.string(), secret: z.string() })),
    dkim: z.array(z.object({ from: z.string(), secret: z.string() })).optional(),
    ftp: z.array(
      z.object({
        secret: z.string(),
        /** `fresh`: the FTP user here that gets a new password. */
        users: z.array(z.object({ id: z.int(), from: z.string(), fresh: z.int().optional() })),
      }),
    ),
  }),
  {
    title: 'Hashes and keys',
    what: () => 'passwords stay as hashes, or are new where they cannot; keys of certificates come along',
    async run(input, { app, fence }) {
      const { key, open } = reader()
      const answer = Sealed.parse(
        await liveRead(app, input.serverId, 'archive.secrets', { importId: input.importId, reader: key }),
      )
      const found = ArchiveSecrets.parse(JSON.parse(open(answer.sealed)))
      const fresh = await makeNew(app, input.importId, fence)
      fence()
      await app.db.transaction(async (tx) => {
        for (const { from, secret } of input.databases)
          await app.secrets.write(tx, secret, need(found.databases[from]?.toUpperCase(), `the password of ${from}`))
        for (const { mailboxId, users } of input.mailboxes)
          await setHashes(
            app,
            tx,
            mailboxId,
            new Map(users.map(({ from, userId }) => [userId, need(found.mailboxes[from], `the password of ${from}`)])),
          )
        for (const { from, chain, secret } of input.certificates)
          await app.secrets.write(
            tx,
            secret,
            JSON.stringify({ chain, key: need(found.certificates[from], `the key of ${from}`) }),
          )
        for (const { from, secret } of input.dkim ?? [])
          await app.secrets.write(tx, secret, need(found.dkim[from], `the DKIM key of ${from}`))
        for (const { secret, users } of input.ftp) {
          const hashes = users.map(({ id, from, fresh: of }) => [
            id,
            need(of === undefined ? found.ftp[from] : fresh.get(of), `the password of ${from}`),
          ])
          await app.secrets.write(tx, secret, JSON.stringify(Object.fromEntries(hashes)))
        }
      })
    },
    undo: async () => undefined, // secrets go with their rows
  },
)
const Sealed = z.object({ sealed: z.string() })
function need(value: string | undefined, what: string): string {
  if (value === undefined) throw new Error(`the archive has lost ${what}: look at it again`)
  return value
}

/** Creates a zone and starts its publication. Undo deletes it, and takes it off the name servers. */
export const zoneBring = action(
  'archive-import.zone',
  z.object({
    importId,
    domain: z.string(),
    zoneFile: z.string(),
    active: z.boolean(),
    by: z.object({ id: z.int(), name: z.string() }),
  }),
  {
    title: 'Zone',
    what: ({ domain }) => `${domain} comes to the name servers of Innkeeper`,
    async run({ by, importId: _, ...input }, { app, fence, say }) {
      fence()
      const there = await zoneOf(app, input.domain)
      if (there && there.createdBy !== by.id) throw new Error(`there is a zone ${input.domain} already`)
      const made = there
        ? undefined
        : await app.db.transaction((tx) => makeZone(tx, app, { ...input, leaveOut: 0 }, by))
      say(
        made?.workflowId
          ? `is published by workflow ${made.workflowId}`
          : there
            ? 'was created before'
            : 'is stored; there is no name server',
      )
      return { zoneId: made?.zone.id ?? there?.id, workflowId: made?.workflowId ?? null }
    },
    async undo({ domain, by }, { app, fence, say }) {
      fence()
      const zone = await zoneOf(app, domain)
      if (!zone || zone.createdBy !== by.id) return say(`there is no zone ${domain} of this import`)
      await app.db.transaction((tx) => dropZone(tx, zone, by))
      say(`${domain} is deleted and leaves the name servers`)
    },
  },
)

async function zoneOf({ db }: App, domain: string) {
  const [zone] = await db
    .select()
    .from(zones)
    .where(and(eq(zones.domain, domain), isNull(zones.deletedAt)))
  return zone
}

/** Compares what the archive has with what is here, asks each website, and stores the report. */
export const importVerify = action('archive-import.verify', z.object({ importId }), {
  title: 'Compare',
  what: () => 'counts of archive and server, and an answer of each website',
  run: ({ importId: id }, work) => verify(id, work),
  undo: async () => undefined, // the report stays, beside the undone import
})

/** People end the import: nothing of it can be rolled back afterwards. */
export const importAccept = action('archive-import.accept', z.object({ importId }), {
  title: 'Accepted',
  what: () => 'somebody has accepted the import',
  run: async ({ importId: id }, { app }) => void (await rowOf(app.db, id)),
  noWayBack: 'The import was accepted: delete its websites and mail domains instead',
})
