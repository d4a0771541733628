import type { Practice } from '@innkeeper/contract/machines/servers/shapes'

type Door = Pick<Practice, 'state' | 'previewPort'>
/**
 * Address of a website for browsers. Practice servers are reachable on this machine only, so Innkeeper's preview port
 * serves their websites at `http://<domain>.localhost:<port>`.
 */
export const websiteAddress = (domain: string, practice?: Door): string =>
  practice?.previewPort && practice.state !== 'off'
    ? `http://${domain}.localhost:${practice.previewPort}`
    : `http://${domain}`
