import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import * as z from 'zod'
import type { Settings } from '../kit/app/settings.ts'

const Ready = z.object({ ready: z.boolean(), parts: z.record(z.string(), z.string()) })
const ANSWER_MS = 5_000

/** Asks a node on this machine whether it is ready. Answers what is not; undefined if all is well. */
export async function readyAt(settings: Pick<Settings, 'host' | 'port' | 'https'>): Promise<string | undefined> {
  const host = /^(0\.0\.0\.0|::)$/.test(settings.host) ? '127.0.0.1' : settings.host
  return readyOf({ host, port: settings.port, isHttps: settings.https !== undefined })
}

/** Asks the worker of this machine. */
export const workerReadyAt = (port: number): Promise<string | undefined> =>
  readyOf({ host: '127.0.0.1', port, isHttps: false })

async function readyOf({ host, port, isHttps }: { host: string; port: number; isHttps: boolean }) {
  try {
    const { parts } = Ready.parse(JSON.parse(await bodyOf(host, port, isHttps)))
    const bad = Object.entries(parts).filter(([, said]) => said !== 'ok')
    return bad.length ? bad.map(([part, said]) => `${part}: ${said}`).join('; ') : undefined
  } catch (error) {
    return `${host}:${port} does not answer (${error instanceof Error ? error.message : error})`
  }
}

/** The certificate is not judged here: it is of the public name, and the doctor looks at it. */
function bodyOf(host: string, port: number, isHttps: boolean): Promise<string> {
  const options = { host, port, path: '/readyz', timeout: ANSWER_MS, rejectUnauthorized: false, agent: false as const }
  return new Promise((resolve, reject) => {
    const sent = (isHttps ? requestHttps : requestHttp)(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      answer.on('end', () => resolve(text)).on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', reject).end()
  })
}
