import * as z from 'zod'
import { filter, get, instant, post } from '../../kit/endpoint.ts'
import { binary } from '../../kit/transfer.ts'
import { searchText, snapshotPath } from '../../kit/values.ts'
import { FileVersion, TreeEntry } from './shapes.ts'

const base = '/backups'
/** True: reads the copy on the other backup server. */
const copy = filter(z.stringbool())

/** Calls about the files in a backup. */
export const treeCalls = {
  tree: get(`${base}/backups/:id/tree`, 'backup:backup:read', {
    summary: 'Files and folders of a backup below a path',
    query: { path: filter(snapshotPath), copy },
    live: true,
    returns: z.object({ items: z.array(TreeEntry), more: z.boolean() }),
  }),
  find: get(`${base}/backups/:id/find`, 'backup:backup:read', {
    summary: 'Files and folders of a backup whose name contains a text',
    query: { text: searchText, copy },
    live: true,
    returns: z.object({ items: z.array(TreeEntry), more: z.boolean() }),
  }),
  versions: get(`${base}/backups/:id/versions`, 'backup:backup:read', {
    summary: 'Versions of a file in the backups of its website, newest first',
    query: { path: snapshotPath },
    live: true,
    returns: z.object({ items: z.array(FileVersion), searched: z.int(), elsewhere: z.int() }),
  }),
  download: get(`${base}/backups/:id/download`, 'backup:restore:create', {
    summary: 'A file of a backup, or a folder as an archive',
    query: { path: snapshotPath, archive: z.enum(['tar', 'zip']).default('zip'), copy },
    live: true,
    ticket: { isRecorded: true, binds: ['path'] },
    returns: binary,
  }),
  downloadTicket: post(`${base}/backups/:id/download/ticket`, 'backup:restore:create', {
    summary: 'Create a ticket, valid once within a minute, with which a browser downloads a file or folder of a backup',
    body: { path: snapshotPath },
    status: 200,
    returns: z.object({ ticket: z.string(), expiresAt: instant }),
  }),
}
