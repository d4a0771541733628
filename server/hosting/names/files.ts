import { NamedFile } from '@innkeeper/contract/hosting/names/shapes'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { App } from '../../kit/app/app.ts'
import { folderOf } from '../websites/folders.ts'
import { readSite } from '../websites/site.ts'

const Found = z.object({ files: z.array(NamedFile), searched: z.int(), more: z.boolean() })

/** Searches the files of a website for its domain, on its server. 503 if the server is offline. */
export async function readNamedFiles(app: App, { id, newDomain }: { id: number; newDomain?: string | undefined }) {
  const site = await readSite(app.db, id)
  const { domain, server, systemUser } = site
  const input = { username: systemUser.username, path: folderOf(site), from: domain, to: newDomain ?? domain }
  const found = Found.parse(await liveRead(app, server.id, 'website-files.search', input))
  return { ...found, at: new Date().toISOString() }
}
