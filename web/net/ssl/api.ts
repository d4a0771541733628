import { ssl } from '@innkeeper/contract/net/ssl/calls'
import { bind } from '../../kit/api/client.ts'

export const sslApi = bind('ssl', ssl)

/** Domains that read again after a change of a website's https. */
export const touched = ['ssl', 'websites', 'workflows']
