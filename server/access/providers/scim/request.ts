import type { Provider } from '@innkeeper/contract/access/providers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../kit/app/app.ts'
import { type Entry, writeLog } from '../../../kit/audit/audit.ts'
import type { Db } from '../../../kit/db/db.ts'
import { plainAddress } from '../../../kit/http/address.ts'
import { ScimError } from './errors.ts'

/** One call of an identity provider. */
export interface Asked {
  app: App
  provider: Provider
  request: FastifyRequest
  reply: FastifyReply
}

export interface Resource {
  meta: { version: string; [key: string]: unknown }
  [key: string]: unknown
}

/** Runs a writing call in one transaction with its log row. */
export const written = <T>(
  { app, provider, request }: Asked,
  about: Pick<Entry, 'action' | 'resource'>,
  work: (db: Db) => Promise<{ id: string; subject: string; after: unknown; answer: T }>,
): Promise<T> =>
  app.db.transaction(async (tx) => {
    const { id, subject, after, answer } = await work(tx)
    await writeLog(
      tx,
      {
        ...{ staffId: null, staffName: provider.name, service: 'users', ...about, resourceId: id, subject },
        ...{ workflowId: null, ip: plainAddress(request.ip), requestId: request.id },
      },
      'success',
      after,
    )
    return answer
  })

/** 412 if the caller saw another version than the stored one. */
export function checkMatch({ request }: Asked, { meta }: Resource): void {
  const wanted = request.headers['if-match']
  if (wanted !== undefined && wanted !== '*' && !wanted.split(',').some((one) => one.trim() === meta.version))
    throw new ScimError(412, 'The resource was changed meanwhile')
}

/** Answers a resource with its version, or 304 if the caller has it. */
export function answerWith({ request, reply }: Asked, resource: Resource, status = 200) {
  void reply.header('etag', resource.meta.version)
  if (request.method === 'GET' && request.headers['if-none-match'] === resource.meta.version)
    return reply.code(304).send()
  return reply.code(status).send(resource)
}

/** Page of a list: `startIndex` counts from 1. Numbers out of range are corrected, as the RFC says. */
export function pageOf({ request }: Asked, most: number): { startIndex: number; count: number; filter?: string } {
  const { startIndex, count, filter } = request.query as Record<string, unknown> // parseQuery returns an object
  const number = (value: unknown, fallback: number) => (/^-?\d{1,9}$/.test(String(value)) ? Number(value) : fallback)
  return {
    startIndex: Math.max(1, number(startIndex, 1)),
    count: Math.min(most, Math.max(0, number(count, 100))),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
  }
}

export const idOf = ({ request }: Asked): string => {
  const { id } = request.params as { id: string } // route parameters are strings
  return id
}
