import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { readWebsite } from '../view.ts'

interface Asked {
  id: number
  kind?: 'access' | 'error' | undefined
  lines?: number | undefined
}
const USUAL = 100
const Lines = z.object({ lines: z.array(z.string()) })

/** Reads the last lines of a website's log from its server. 503 if the server is offline. */
export async function readLogLines(app: App, { id, kind = 'access', lines = USUAL }: Asked) {
  const { serverId, ...website } = await readWebsite(app.db, id)
  // requests to an alias are in the log of its website
  const domain = (website.kind === 'alias' && website.parentDomain) || website.domain
  const found = Lines.parse(await liveRead(app, serverId, 'website.log-lines', { domain, kind, lines }))
  return { ...found, at: new Date().toISOString() }
}
