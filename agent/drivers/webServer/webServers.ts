import { existsSync } from 'node:fs'
import { apache } from '../apache/apache.ts'
import { nginx } from '../nginx/nginx.ts'
import type { WebServer } from './webServer.ts'

/** The web server of this machine, decided by the last `nginx.ensure` or `apache.ensure`. */
export const webServerHere = (): WebServer => (existsSync(apache.main) ? apache : nginx)

/** Throws if the operation is for the other web server, which may have been switched meanwhile. */
export function checkHere(web: WebServer): void {
  const here = webServerHere()
  if (here !== web) throw new Error(`The websites of this server are served by ${here.title}, not by ${web.title}`)
}
