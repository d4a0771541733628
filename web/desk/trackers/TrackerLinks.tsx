import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { type HeadLink, HeadLinks } from '../../kit/frame/HeadLinks.tsx'
import { words } from './trackerInfo.ts'

type Place = 'list' | 'board' | 'archive' | 'imports' | 'settings'

/** Links between the list, the board, the archive and the settings of a tracker. */
export function TrackerLinks({ tracker, here }: { tracker: Tracker; here: Place }) {
  const { list, base } = words[tracker]
  const places: (HeadLink & { place: Place | 'release-note' })[] = [
    { place: 'list', title: 'List', to: list },
    { place: 'board', title: 'Board', to: `${base}/board` },
    { place: 'archive', title: tracker === 'ticket' ? 'Completed' : 'Archive', to: `${base}/archive` },
    ...(tracker === 'feature'
      ? [{ place: 'release-note' as const, title: 'Release note', to: `${base}/release-note` }]
      : []),
    { place: 'imports', title: 'Imports', to: `${base}/imports` },
    { place: 'settings', title: 'Settings', to: `${base}/settings` },
  ]
  return <HeadLinks label="Board, archive and settings" links={places.filter(({ place }) => place !== here)} />
}
