import * as z from 'zod'
import { liveRead } from '../kit/agents/liveRead.ts'
import type { App } from '../kit/app/app.ts'
import { readWebsite } from './view.ts'

interface Asked {
  id: number
  kind?: 'access' | 'error' | undefined
  lines?: number | undefined
}
const USUAL = 100
const Lines = z.object({ lines: z.array(z.string()) })

/** The end of a website's own log, asked of its server now. 503 when the server is away. */
export async function readLogLines(app: App, { id, kind = 'access', lines = USUAL }: Asked) {
  const { serverId, ...website } = await readWebsite(app.db, id)
  // what comes by an alias stands in the log of its website
  const domain = (website.kind === 'alias' && website.parentDomain) || website.domain
  const found = Lines.parse(await liveRead(app, serverId, 'website.log-lines', { domain, kind, lines }))
  return { ...found, at: new Date().toISOString() }
}
