import * as z from 'zod'
import { del, get, id, instant, line, post, stored, version, whole } from '../kit.ts'
import { Backup } from './shapes.ts'

/** Nothing is backed up from a server until then. */
export const Pause = z.object({
  ...stored,
  serverId: z.int(),
  serverName: z.string(),
  until: instant,
  reason: z.string(),
  /** Backups that are stopped until then. */
  stopped: z.int(),
})
export type Pause = z.output<typeof Pause>

const base = '/backups'
const hours = whole(1, 24 * 31)

/** Backups that are stopped for a while, or for good. */
export const pauseCalls = {
  pause: post(`${base}/backups/:id/pause`, 'backup:backup:create', {
    summary: 'Stop a running backup; it is started again after some hours, or when somebody resumes it',
    body: { hours: hours.optional(), version },
    status: 200,
    returns: Backup,
  }),
  resume: post(`${base}/backups/:id/resume`, 'backup:backup:create', {
    summary: 'Start a backup again that was stopped; data that the repository has is not sent again',
    body: { version },
    status: 200,
    returns: Backup,
  }),
  cancel: post(`${base}/backups/:id/cancel`, 'backup:backup:create', {
    summary: 'Stop a running backup for good; parts that were complete stay',
    body: { version },
    status: 200,
    returns: Backup,
  }),
  pauses: get(`${base}/pauses`, 'backup:schedule:read', {
    summary: 'Servers from which nothing is backed up for a while',
    returns: z.object({ items: z.array(Pause) }),
  }),
  pauseServer: post(`${base}/pauses`, 'backup:schedule:update', {
    summary: 'Stop every backup of a server for some hours; due ones wait',
    body: { serverId: id, hours, reason: line(200) },
    status: 200,
    returns: Pause,
  }),
  endPause: del(`${base}/pauses/:id`, 'backup:schedule:update', {
    summary: 'End the pause of a server before its time',
    body: { version },
    status: 204,
  }),
}
