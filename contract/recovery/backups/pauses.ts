import * as z from 'zod'
import { del, get, id, instant, line, post, stored, version, whole } from '../../kit/endpoint.ts'
import { Backup } from './shapes.ts'

/** A pause of a server: it is not backed up until then. */
export const Pause = z.object({
  ...stored,
  serverId: z.int(),
  serverName: z.string(),
  until: instant,
  reason: z.string(),
  /** Number of backups that the pause stopped. */
  stopped: z.int(),
})
export type Pause = z.output<typeof Pause>

const base = '/backups'
const hours = whole(1, 24 * 31)

/** Calls that stop backups for a while or for good. */
export const pauseCalls = {
  pause: post(`${base}/backups/:id/pause`, 'backup:backup:create', {
    summary: 'Stop a running backup; it restarts after some hours, or when somebody resumes it',
    body: { hours: hours.optional(), version },
    status: 200,
    returns: Backup,
  }),
  resume: post(`${base}/backups/:id/resume`, 'backup:backup:create', {
    summary: 'Resume a stopped backup; data that the repository has is not sent again',
    body: { version },
    status: 200,
    returns: Backup,
  }),
  cancel: post(`${base}/backups/:id/cancel`, 'backup:backup:create', {
    summary: 'Stop a running backup for good; completed parts stay',
    body: { version },
    status: 200,
    returns: Backup,
  }),
  pauses: get(`${base}/pauses`, 'backup:schedule:read', {
    summary: 'Servers whose backups are paused',
    returns: z.object({ items: z.array(Pause) }),
  }),
  pauseServer: post(`${base}/pauses`, 'backup:schedule:update', {
    summary: 'Pause every backup of a server for some hours; due backups wait',
    body: { serverId: id, hours, reason: line(200) },
    status: 200,
    returns: Pause,
  }),
  endPause: del(`${base}/pauses/:id`, 'backup:schedule:update', {
    summary: 'End the pause of a server early',
    body: { version },
    status: 204,
  }),
}
