import * as z from 'zod'
import { configAuthor, configPath, configService } from '../../agent/configs.ts'
import { csv, del, filter, get, id, listQuery, pageOf, post } from '../../kit/endpoint.ts'
import {
  ConfigCollection,
  ConfigDiff,
  ConfigReset,
  ConfigVersion,
  ConfigVersionView,
  collectionResult,
  configTrigger,
  ResetPlan,
  resetAction,
  resetStatus,
  ServerConfigs,
} from './shapes.ts'

/** Maximum number of files of one reset. */
export const MOST_RESET = 500
const base = '/config-orchestrator'
const versions = `${base}/config-restore/configs`
const search = filter(z.string().trim().max(120))

export const configs = {
  collections: get('/backups/logs/config-collection', 'backup:logs:read', {
    summary: 'Collections of configurations',
    query: {
      ...listQuery(['startedAt', 'serverName']),
      server: filter(csv(id)),
      result: filter(csv(collectionResult)),
      trigger: filter(csv(configTrigger)),
      search,
    },
    returns: pageOf(ConfigCollection),
  }),
  logs: get(`${base}/logs`, 'config-restore:logs:read', {
    summary: 'Resets of configurations; dismissed ones only with dismissed=true',
    query: {
      ...listQuery(['startedAt', 'serverName']),
      server: filter(csv(id)),
      status: filter(csv(resetStatus)),
      action: filter(csv(resetAction)),
      dismissed: filter(z.enum(['true', 'false'])),
      search,
    },
    returns: pageOf(ConfigReset),
    aliases: ['/backups/config-orchestrator/logs'],
  }),
  dismissLogs: del(`${base}/logs`, 'config-restore:logs:delete', {
    summary: 'Dismiss finished resets from the list: the named ones, or all finished ones',
    body: { ids: z.array(id).min(1).max(200).optional() },
    status: 200,
    returns: z.object({ dismissed: z.int() }),
    aliases: ['/backups/config-orchestrator/logs'],
  }),
  list: get(versions, 'config-restore:configs:read', {
    summary: 'Collected versions of configurations',
    query: {
      ...listQuery(['collectedAt', 'serverName']),
      server: filter(csv(id)),
      service: filter(csv(configService)),
      by: filter(csv(configAuthor)),
      current: filter(z.enum(['true', 'false'])),
      search,
    },
    returns: pageOf(ConfigVersion),
    aliases: ['/config-restore/configs', '/backups/config-orchestrator/config-restore/configs'],
  }),
  view: get(`${versions}/:id`, 'config-restore:configs:read', {
    summary: 'A version with its files',
    returns: ConfigVersionView,
    aliases: ['/config-restore/configs/:id', '/backups/config-orchestrator/config-restore/configs/:id'],
  }),
  remove: del(`${versions}/:id`, 'config-restore:configs:delete', {
    summary: 'Delete a version; the newest one of a service stays while its server exists',
    aliases: ['/config-restore/configs/:id', '/backups/config-orchestrator/config-restore/configs/:id'],
  }),
  file: get(`${versions}/:id/file`, 'config-restore:configs:read', {
    summary: 'Content of a file of a version, with secrets masked',
    query: { path: configPath },
    returns: z.object({ path: z.string(), text: z.string(), hidden: z.boolean() }),
  }),
  diff: get(`${versions}/:id/diff`, 'config-restore:configs:read', {
    summary: 'Differences to another version of the service; by default to the version before',
    query: { with: filter(id) },
    returns: ConfigDiff,
  }),
  preview: get(`${versions}/:id/reset`, 'config-restore:configs:read', {
    summary: 'Ask the server now what a reset to this version would do',
    live: true,
    returns: ResetPlan,
  }),
  reset: post(`${versions}/:id/reset`, 'config-restore:configs:reset', {
    summary: 'Reset a service to this version; if the service fails, the reset is reverted',
    /** Files to reset, by default all that differ from the last collection. */
    body: { paths: z.array(configPath).min(1).max(MOST_RESET).optional() },
    status: 202,
    returns: z.object({ id: z.int(), workflowId: z.int() }),
  }),
  collect: post(`${base}/collect`, 'config-restore:configs:collect', {
    summary: 'Collect the configuration of servers now: of the named ones, or of all',
    body: { serverIds: z.array(id).min(1).max(1000).optional() },
    status: 202,
    returns: z.object({ servers: z.int() }),
  }),
  server: get(`${base}/servers/:id`, 'config-restore:configs:read', {
    summary: 'Last collection of a server and its drift',
    returns: ServerConfigs,
  }),
}
