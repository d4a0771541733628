import { existsSync } from 'node:fs'
import { apache } from '../apache/apache.ts'
import { nginx } from '../nginx/nginx.ts'
import type { WebServer } from './webServer.ts'

/** Whose websites this machine has: its last `nginx.ensure` or `apache.ensure` says. */
export const webServerHere = (): WebServer => (existsSync(apache.main) ? apache : nginx)

/** An order for the other one came too late, or too early. */
export function checkHere(web: WebServer): void {
  const here = webServerHere()
  if (here !== web) throw new Error(`The websites of this server are served by ${here.title}, not by ${web.title}`)
}
