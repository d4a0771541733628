import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'

/** Below a field that chooses a server: there is none of this type, and where to add one. */
export const NoServer = ({ type }: { type: Server['type'] }) => (
  <>
    There is no server of the type {type} yet.{' '}
    <LinkTo to="/server/create" fz="inherit">
      Add one
    </LinkTo>
  </>
)
