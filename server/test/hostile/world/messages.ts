import { sql } from 'drizzle-orm'
import type { TestApp } from '../../app.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** Templates, and messages in every state. No worker runs here, so that nothing is sent. */
export async function makeMessages({ app: { db } }: TestApp, call: Call): Promise<void> {
  await call('PATCH', '/sms/settings', {
    ...{ gateway: 'kannel', url: 'http://127.0.0.1:9', username: 'innkeeper', secret: 'planted-gateway-secret' },
    ...{ price: 0.04, alertReasons: ['server'] },
  })
  const outage = { name: 'outage', body: 'The server {{server}} is down', description: 'For customers' }
  await call('POST', '/sms/templates', outage)
  await call('POST', '/sms/templates', { name: 'spare', body: 'Thank you' })
  const states = ['queued', 'sent', 'delivered', 'undelivered', 'failed']
  for (const [n, state] of states.entries()) {
    await call('POST', '/sms/messages', { to: [`+472200001${n}`], body: `A ${state} message` })
    await db.execute(sql`update sms_messages set status = ${state} where body = ${`A ${state} message`}`)
  }
  await call('POST', '/sms/messages', {
    to: '+4722000019',
    body: 'A scheduled message',
    sendAt: '2999-01-01T08:00:00Z',
  })
  const alert = await call('POST', '/sms/messages', { to: '+4722000018', body: 'web-1 is offline' })
  await db.execute(sql`update sms_batches set kind = 'alert' where sms_batch_id = ${alert.id}`)
  await db.execute(sql`update sms_messages set kind = 'alert', status = 'sent' where sms_batch_id = ${alert.id}`)
  await call('POST', '/sms/opt-outs', { number: '+4722000001', note: 'Asked by phone' })
  await db.execute(sql`insert into sms_replies (number, text, effect) values ('+4722000018', 'Thanks', 'none')`)
}
