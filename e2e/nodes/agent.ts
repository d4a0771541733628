import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:https'
import { connect } from 'node:tls'
import type { Answer } from '../innkeeper.ts'

/** Credential and pinned key of an agent. */
export async function pinOf(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

/** One call of an agent. Status 0: no answer within `ms`, connection closed. */
export function knock(port: number, path: string, credential: string, body: unknown, ms = 30_000): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
    const options = { host: '127.0.0.1', port, path, method: 'POST', headers, agent: false, rejectUnauthorized: false }
    const asked = request(options)
    const timer = setTimeout(() => asked.destroy(), ms)
    const none = () => {
      clearTimeout(timer)
      resolve({ status: 0, body: undefined })
    }
    asked.on('error', none).on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('error', none).on('end', () => {
        clearTimeout(timer)
        resolve({ status: answer.statusCode ?? 0, body: text ? JSON.parse(text) : undefined })
      })
    })
    asked.end(JSON.stringify(body))
  })
}
