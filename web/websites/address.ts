import type { Practice } from '@innkeeper/contract/servers'

type Door = Pick<Practice, 'state' | 'previewPort'>
/**
 * Where a browser finds the site. Practice servers have addresses that only this machine knows: Innkeeper's own
 * preview port leads to them, at `http://<domain>.localhost:<port>`.
 */
export const siteAddress = (domain: string, practice?: Door): string =>
  practice?.previewPort && practice.state !== 'off'
    ? `http://${domain}.localhost:${practice.previewPort}`
    : `http://${domain}`
