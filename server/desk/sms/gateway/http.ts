import * as z from 'zod'
import { ask, isAboutUs, isBusy } from './ask.ts'
import type { Gateway } from './gateway.ts'

const Answer = z.object({ id: z.coerce.string().max(200).optional(), message: z.coerce.string().max(500).optional() })

function read(text: string): z.output<typeof Answer> {
  try {
    return Answer.parse(JSON.parse(text))
  } catch {
    return {} // a body is optional, because the status is sufficient
  }
}

/** Any gateway with the request format of docs/sms-gateway.md, or an adapter program in front of another gateway. */
export const overHttp: Gateway = {
  knowsKeys: true,

  async handOver({ reach, url, username, secret, sender, reportUrl }, { id, key, number, body, encoding, segments }) {
    const message = {
      ...{ id: key, from: sender || null, to: number, text: body, encoding, segments },
      reportUrl: reportUrl(id, '{status}'),
    }
    const heard = await ask(reach, {
      url: new URL(url),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        authorization: username
          ? `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
          : `Bearer ${secret}`,
      },
      body: JSON.stringify(message),
    })
    if ('failed' in heard) return { kind: heard.failed === 'before' ? 'later' : 'unknown', reason: heard.reason }
    const { status } = heard
    const { id: providerId = null, message: said = '' } = read(heard.text)
    // 409 with a known key: an earlier attempt was accepted
    if ((status >= 200 && status < 300) || status === 409) return { kind: 'accepted', providerId }
    if (isBusy(status) || status >= 500)
      return { kind: 'later', reason: `The gateway answers ${status} ${said}`.trim() }
    if (isAboutUs(status)) return { kind: 'account', reason: `The gateway answers ${status} ${said}`.trim() }
    return { kind: 'refused', code: String(status), reason: `The gateway refuses: ${said.slice(0, 200) || status}` }
  },
}
