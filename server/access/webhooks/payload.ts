import { contract } from '@innkeeper/contract/index'
import type { Contract, Endpoint } from '@innkeeper/contract/kit/endpoint'

/** The id of a message, which stays the same in all attempts, so that receivers recognise what they had. */
export const messageIdOf = (deliveryId: number): string => `msg_${deliveryId}`

/** The body of a message. It has no content of the object, which the receiver reads with rights of its own. */
export function payloadOf({
  domain,
  objectId,
  changedAt,
}: {
  domain: string
  objectId: number | null
  changedAt: string
}) {
  const path = objectId === null ? undefined : callOf(domain)?.path.replace(':id', String(objectId))
  return JSON.stringify({
    type: domain === 'ping' ? 'ping' : `${domain}.changed`,
    timestamp: changedAt,
    data: { kind: domain, ...(objectId !== null && { id: objectId }), ...(path && { path: `/api${path}` }) },
  })
}

/** The call that reads one object of a kind, if there is one. */
export function callOf(domain: string): Endpoint | undefined {
  const calls: Contract | undefined = (contract as Record<string, Contract>)[domain]
  const { one } = calls ?? {}
  return one?.method === 'GET' && /:id$/.test(one.path) ? one : undefined
}
