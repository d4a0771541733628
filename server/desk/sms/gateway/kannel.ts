import { ask, isAboutUs, isBusy } from './ask.ts'
import type { Gateway } from './gateway.ts'

/**
 * Mask for reports of each step: 1 delivered, 2 not delivered, 4 queued by the operator, 8 accepted and 16 rejected by
 * it.
 */
const EVERY_STEP = '31'
/** Placeholders that Kannel fills in: step, the operator's answer, and the operator's id of the message. */
const STEP = '%d'
const ANSWER = '&answer=%A&providerId=%F'

/** Kannel's words: about the number, although the status is that of a refused account, and about a missing sender. */
const ofNumber = /denied by white- and\/or black-lists/i
const ofSender = /^sender missing/i

/**
 * Kannel's sendsms. Kannel does not detect repeated messages, so that a request whose answer was lost is not repeated.
 * The delivery report shows the result (decision 54).
 */
export const overKannel: Gateway = {
  knowsKeys: false,

  async handOver({ reach, url, username, secret, sender, reportUrl }, { id, number, body, encoding }) {
    const to = new URL(url)
    if (to.pathname === '/') to.pathname = '/cgi-bin/sendsms'
    to.search = String(
      new URLSearchParams({
        ...{ username, password: secret, to: number, text: body, charset: 'UTF-8' },
        coding: encoding === 'UCS-2' ? '2' : '0',
        ...(sender && { from: sender }),
        'dlr-mask': EVERY_STEP,
        'dlr-url': reportUrl(id, STEP) + ANSWER,
      }),
    )
    const heard = await ask(reach, { url: to, method: 'GET' })
    if ('failed' in heard) return { kind: heard.failed === 'before' ? 'later' : 'unknown', reason: heard.reason }
    const { status, text } = heard
    const said = text.replace(/\s+/g, ' ').trim().slice(0, 200)
    // 202 means accepted: sent now (0) or queued for later (3)
    if (status >= 200 && status < 300) return { kind: 'accepted', providerId: null }
    if (status === 503 || isBusy(status))
      return { kind: 'later', reason: `Kannel cannot accept the message now: ${said}` }
    if (status >= 500) return { kind: 'unknown', reason: `Kannel answers ${status}: ${said}` }
    if ((isAboutUs(status) && !ofNumber.test(said)) || ofSender.test(said))
      return { kind: 'account', reason: `Kannel answers ${status}: ${said}`.trim() }
    return { kind: 'refused', code: String(status), reason: `Kannel refuses: ${said || status}` }
  },
}
